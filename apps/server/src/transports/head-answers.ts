import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * HEAD answers where GET does, with the same headers and without the content (RFC 9110 §9.3.2). What would be streamed
 * is let go at once: nobody reads it.
 */
export function answerHeads(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD']
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'HEAD') {
      done(null, payload)
      return
    }
    if (payload instanceof Readable) payload.destroy()
    else if (typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.header('content-length', Buffer.byteLength(payload))
    done(null, null)
  })
}
