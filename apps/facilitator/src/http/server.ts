import {
  answeringHalfClosed,
  bodiesOnDemand,
  createBrokenRequests,
  lettingGo,
  lingering,
  originForm,
  requestFault,
} from '@ergon/process'
import { addressKey } from '@ergon/protocols'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Log } from '../log.ts'
import type { Handle } from './handle.ts'

const maxBodyBytes = 64 * 1024
/** How long a stop waits for a body that is on its way. */
const halfMs = 5_000

/** Carries the endpoints over HTTP. Bodies stay bytes: idempotency compares their hash. */
export function createHttpServer(handle: Handle, log: Log): FastifyInstance {
  const broken = createBrokenRequests((reason) => ({
    headers: { 'content-type': json },
    body: JSON.stringify({ error: brokenWords[reason] }),
  }))
  const app = fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: 10_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: { requireHostHeader: false },
    clientErrorHandler: broken.answer,
    rewriteUrl: ({ url = '' }) => originForm(url),
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(404).header('content-type', json).send(notFound)
    },
  })
  broken.watch(app.server)
  const letGo = lettingGo(app.server, halfMs)
  lingering(app.server)
  answeringHalfClosed(app.server)
  refuseUnread(app, bodiesOnDemand(app.server))
  app.addHook('preClose', (done) => {
    letGo()
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).header('content-type', json).send(notFound))
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
    method: ['GET', 'HEAD', 'POST'],
    url: '/*',
    handler: async (request, reply) => {
      // The content type parser leaves bytes.
      const body = (request.body ?? nothing) as Uint8Array
      const answer = await handle({
        method: request.method === 'HEAD' ? 'GET' : request.method,
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
const json = 'application/json; charset=utf-8'
const notFound = JSON.stringify({ error: 'not_found' })
const brokenWords = {
  headers_too_large: 'request_headers_too_large',
  too_late: 'request_timeout',
  no_request: 'bad_request',
} as const

/** Turns away what cannot be read as it is meant, before its body is asked for. */
function refuseUnread(app: FastifyInstance, askForBody: ReturnType<typeof bodiesOnDemand>): void {
  app.addHook('onRequest', (request, reply, next) => {
    const fault = requestFault(request.raw)
    if (fault !== undefined)
      void reply.code(400).header('connection', 'close').send({ error: 'bad_request', message: fault })
    else if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes)
      void reply.code(413).header('connection', 'close').send({ error: 'request_body_too_large' })
    else if (request.headers['content-encoding'] !== undefined)
      // Hashes of orders are over the bytes that came.
      void reply.code(415).send({ error: 'content_encoding_not_read' })
    else next()
  })
  app.addHook('preParsing', (_request, reply, payload, next) => {
    askForBody(reply.raw)
    next(null, payload)
  })
}

function errorStatus(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}
