import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const lookAgainMs = 100
/** For a connection that asked for nothing yet, or was answered and began with its next request. */
const nothingMs = 2_000

/**
 * Watches the connections of a listener. The answer, called when the listener is told to close, lets them go until it
 * has: idle ones at once, also those that are idle only once they were answered, for a client may keep one for over a
 * minute. What brings no request is waited for a little, a request whose body is on its way for `halfMs`; what is being
 * answered, until it is.
 */
export function lettingGo(server: Server, halfMs: number): () => void {
  const open = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    open.set(socket, response)
  })
  const patienceWith = (response: ServerResponse | undefined): number => {
    if (response === undefined || response.writableFinished) return nothingMs
    return response.req.complete ? Infinity : halfMs
  }
  return () => {
    const began = performance.now()
    const timer = setInterval(() => {
      server.closeIdleConnections()
      const waited = performance.now() - began
      for (const [socket, response] of open) if (waited > patienceWith(response)) socket.destroy()
    }, lookAgainMs)
    server.once('close', () => {
      clearInterval(timer)
    })
  }
}
