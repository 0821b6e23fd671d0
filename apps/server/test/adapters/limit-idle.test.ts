import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limitIdle } from '../../src/adapters/http/limit-idle.ts'

let servers: Server[]
let connections: number
beforeEach(async () => {
  connections = 0
  servers = Array.from({ length: 3 }, () => createServer((_incoming, response) => { response.end('ok') }).on('connection', () => { connections += 1 }))
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })))
})
afterEach(() => Promise.all(servers.map((server) => new Promise((resolve) => { server.close(resolve).closeAllConnections() }))))

function get(agent: Agent, server: Server | undefined): Promise<void> {
  const { port } = server?.address() as AddressInfo // it listens on TCP
  return new Promise((resolve, reject) => { request({ host: '127.0.0.1', port, agent }, (response) => { response.on('end', resolve).resume() }).on('error', reject).end() })
}

const idleOf = (agent: Agent): number => Object.values(agent.freeSockets).flat().length

test('no more connections stay idle than are allowed over all hosts, and every request is served', async () => {
  const agent = new Agent({ keepAlive: true })
  limitIdle(agent, 2)
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(servers.map((server) => get(agent, server)))
    await expect.poll(() => idleOf(agent)).toBe(2)
  }
  agent.destroy()
})

test('a connection that was taken into use again makes room, and one that is kept is used again', async () => {
  const agent = new Agent({ keepAlive: true })
  limitIdle(agent, 1)
  for (let round = 0; round < 3; round += 1) {
    await get(agent, servers[0])
    await expect.poll(() => idleOf(agent)).toBe(1)
  }
  expect(connections).toBe(1)
  agent.destroy()
})
