import type { IncomingMessage, Server } from 'node:http'

export type LingeringLimits = { readonly ms: number; readonly bytes: number }

/** The largest body that a service takes is evidence of 25 MiB. */
const usual: LingeringLimits = { ms: 5_000, bytes: 32 * 1_048_576 }

/**
 * Lets whoever is answered before the whole body has arrived read the answer. Such a caller goes on sending, and what
 * arrives at a closed connection resets it, answer included: a refusal then looks like a service that is down. So the
 * answer is ended, and the rest of the body is read and thrown away until it is over, or a limit is, before the
 * connection is closed (RFC 9112 §9.6).
 */
export function lingering(server: Server, limits: LingeringLimits = usual): void {
  server.on('request', (request: IncomingMessage, response) => {
    // Before the listener of the platform, which closes a connection that is not kept.
    response.prependOnceListener('finish', () => {
      if (!request.complete) lingerOn(request, limits)
    })
  })
}

const lookMs = 50

function lingerOn(request: IncomingMessage, { ms, bytes }: LingeringLimits): void {
  const { socket } = request
  socket.destroySoon = () => {
    const [began, before] = [performance.now(), socket.bytesRead]
    // The platform throws the rest of the body away by itself, so no event tells how much that was.
    const timer = setInterval(() => {
      if (performance.now() - began > ms || socket.bytesRead - before > bytes) socket.destroy()
    }, lookMs)
    socket.once('close', () => {
      clearInterval(timer)
    })
    request.resume()
    socket.end()
  }
}
