import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { every, type Surroundings } from '../surroundings/surroundings.ts'

const lookAgainMs = 100
/** For a connection that asked for nothing yet, or was answered and began with its next request. */
const nothingMs = 2_000
/** For a request whose body is on its way. */
const halfMs = 5_000

/**
 * Lets connections go when the service stops: idle ones at once, also those that are idle only once they were answered,
 * for a client may keep one for over a minute. What brings its request slowly, or none at all, is waited for a little;
 * what is being answered, until it is.
 */
export function letGoWhenStopping(service: FastifyInstance, surroundings: Surroundings): void {
  const { server } = service
  const open = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    open.set(socket, response)
  })
  service.addHook('preClose', (done) => {
    const began = surroundings.monotonic()
    const stop = every(surroundings, lookAgainMs, () => {
      server.closeIdleConnections()
      const waited = surroundings.monotonic() - began
      for (const [socket, response] of open) if (waited > patienceWith(response)) socket.destroy()
    })
    server.once('close', stop)
    done()
  })
}

function patienceWith(response: ServerResponse | undefined): number {
  if (response === undefined || response.writableFinished) return nothingMs
  return response.req.complete ? Infinity : halfMs
}
