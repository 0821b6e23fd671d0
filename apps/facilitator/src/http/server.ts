import { fastify, type FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Context } from './context.ts'
import { addEscrowRoutes } from './escrow-routes.ts'
import { addIdentityRoutes } from './identity-routes.ts'
import type { RateLimiter } from './rate-limit.ts'
import { addServiceRoutes } from './service-routes.ts'
import { addSettleRoute } from './settle-route.ts'
import { addVerifyRoute } from './verify-route.ts'

const maxBodyBytes = 64 * 1024

/** The endpoints over HTTP. Bodies stay bytes until a route reads them: idempotency compares their hash. */
export function createHttpServer(context: Context, checkBlocked: (...addresses: readonly (string | undefined)[]) => void): FastifyInstance {
  const app = fastify({ bodyLimit: maxBodyBytes, requestTimeout: 10_000, forceCloseConnections: 'idle', exposeHeadRoutes: false })
  // What is answered while it stops is idle only afterwards, and its client may keep the connection for over a minute.
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => { app.server.closeIdleConnections() }, 100)
    app.server.once('close', () => { clearInterval(timer) })
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }))
  app.setErrorHandler((error, _request, reply) => {
    const status = errorStatus(error)
    if (status >= 500) context.log.error({ err: error }, 'request failed')
    return reply.code(status).send({ error: status === 413 ? 'request_body_too_large' : status >= 500 ? 'unexpected_error' : 'bad_request' })
  })
  app.addHook('onRequest', async (request, reply) => {
    const limiter = request.method === 'POST' ? limiterOf(request.url, context) : undefined
    const wait = limiter?.take(request.ip) ?? 0
    if (wait > 0) await reply.code(429).header('retry-after', String(wait)).send({ error: 'rate_limited', retry_after: wait })
  })
  addServiceRoutes(app, context)
  addVerifyRoute(app, context, checkBlocked)
  addSettleRoute(app, context, checkBlocked)
  addEscrowRoutes(app, context)
  addIdentityRoutes(app, context, checkBlocked)
  return app
}

function limiterOf(url: string, context: Context): RateLimiter | undefined {
  return url.startsWith('/register') || url.startsWith('/feedback') || url.startsWith('/fees') ? context.limits.identity : context.limits.payments
}

function errorStatus(error: unknown): number {
  if (error instanceof Refusal) return error.status
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}
