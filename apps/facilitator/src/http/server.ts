import { lettingGo, lingering } from '@ergon/process'
import { addressKey } from '@ergon/protocols'
import { fastify, type FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { Handle } from './handle.ts'

const maxBodyBytes = 64 * 1024
/** How long a stop waits for a body that is on its way. */
const halfMs = 5_000

/** Carries the endpoints over HTTP. Bodies stay bytes: idempotency compares their hash. */
export function createHttpServer(handle: Handle, log: Log): FastifyInstance {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: 10_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  })
  const letGo = lettingGo(app.server, halfMs)
  lingering(app.server)
  app.addHook('preClose', (done) => {
    letGo()
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }))
  app.setErrorHandler((error, request, reply) => {
    if (request.raw.destroyed && !request.raw.complete) {
      log.debug?.({ id: request.id }, 'a caller left before its body was complete')
      reply.hijack()
      return
    }
    const status = errorStatus(error)
    if (status >= 500) log.error({ err: error }, 'request failed')
    void reply
      .code(status)
      .send({ error: status === 413 ? 'request_body_too_large' : status >= 500 ? 'unexpected_error' : 'bad_request' })
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: async (request, reply) => {
      // The content type parser leaves bytes.
      const body = (request.body ?? nothing) as Uint8Array
      const answer = await handle({
        method: request.method,
        path: request.url,
        headers: request.headers,
        body,
        from: addressKey(request.ip),
      })
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    },
  })
  return app
}

const nothing = new Uint8Array()

function errorStatus(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}
