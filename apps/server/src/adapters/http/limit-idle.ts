import type { Agent } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Lets an agent keep only so many idle connections over all hosts. The agent's own limit counts idle ones and gives none
 * of them up, so that connections kept to some hosts would hold back requests to others.
 */
export function limitIdle(agent: Agent, max: number): void {
  const idle = new Set<Duplex>()
  const known = new WeakSet<Duplex>()
  const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)]
  agent.keepSocketAlive = (socket) => {
    if (idle.size >= max) return false
    idle.add(socket)
    if (!known.has(socket)) {
      known.add(socket)
      socket.once('close', () => { idle.delete(socket) })
    }
    return keep(socket)
  }
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket)
    reuse(socket, request)
  }
}
