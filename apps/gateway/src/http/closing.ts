import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const lookAgainMs = 50
/** For a connection that asked for nothing yet, or was answered and began with its next request. */
const nothingMs = 2_000
/** For a request whose body is on its way. */
const halfMs = 10_000

/**
 * Closes a listener that is watched from now on: what is being answered is answered first, idle connections go at once,
 * and what brings its request slowly, or none at all, is waited for a little.
 */
export function closingOf(server: Server): () => Promise<void> {
  const open = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    open.set(socket, response)
  })
  return async () => {
    if (!server.listening) return
    const began = performance.now()
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
    })
    const timer = setInterval(() => {
      server.closeIdleConnections()
      const waited = performance.now() - began
      for (const [socket, response] of open) if (waited > patienceWith(response)) socket.destroy()
    }, lookAgainMs)
    await closed
    clearInterval(timer)
  }
}

function patienceWith(response: ServerResponse | undefined): number {
  if (response === undefined || response.writableFinished) return nothingMs
  return response.req.complete ? Infinity : halfMs
}
