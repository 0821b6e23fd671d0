import { createHttpCounts, type HttpCounts } from '@ergon/process'
import { Refusal } from '../errors.ts'
import type { BlockCheck, Context, Take } from './context.ts'
import { addElapseRoute } from './elapse-route.ts'
import { addEscrowRoutes } from './escrow-routes.ts'
import type { HttpAnswer, HttpRequest, Reply } from './exchange.ts'
import { addIdentityRoutes } from './identity-routes.ts'
import { createRouter } from './router.ts'
import { sayAnswer } from './say-answer.ts'
import { addStandingRoutes } from './standing-routes.ts'
import { addServiceRoutes } from './service-routes.ts'
import { addSettingsRoute } from './settings-route.ts'
import { addSettleRoute } from './settle-route.ts'
import { addVerifyRoute } from './verify-route.ts'

export type Handle = (request: HttpRequest) => Promise<HttpAnswer>

/** All endpoints behind one function that any carrier can call. It never throws. */
export function createHandle(
  context: Context,
  checkBlocked: BlockCheck,
  counts: Pick<HttpCounts, 'note'> = createHttpCounts(),
): Handle {
  const router = createRouter()
  addServiceRoutes(router, context)
  addSettingsRoute(router, context)
  addVerifyRoute(router, context, checkBlocked)
  addSettleRoute(router, context, checkBlocked)
  addEscrowRoutes(router, context)
  addStandingRoutes(router, context)
  addElapseRoute(router, context)
  addIdentityRoutes(router, context, checkBlocked)
  const dateOf = createDates()
  return async (request) => {
    // The moment of arrival: whatever the answer says was found out at this moment or later.
    const date = dateOf(context.surroundings.now())
    const began = context.surroundings.monotonic()
    const found = router.find(request)
    const refused = shed(request, found?.path, context) ?? limited(request, found?.path, context)
    const { status, headers, body } = refused ?? (await answer())
    const ms = context.surroundings.monotonic() - began
    counts.note(found?.path ?? '-', status, ms)
    // Who is turned away unread, however often, fills no disk.
    if (found !== undefined && refused === undefined) {
      sayAnswer(context.log, { method: request.method, path: found.path, ms }, { status, body })
    }
    return {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', date, ...headers },
      body: JSON.stringify(body),
    }

    async function answer(): Promise<Reply> {
      try {
        return (await found?.answer()) ?? { status: 404, body: { error: 'not_found' } }
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 500
        if (status === 500) context.log.error({ err: error }, 'request failed')
        return { status, body: { error: status === 500 ? 'unexpected_error' : 'bad_request' } }
      }
    }
  }
}

const questions: ReadonlySet<string> = new Set(['/verify', '/accepts'])

/** A process that is late takes orders, whose money may be on its way, and puts off questions that anybody may ask. */
function shed({ method }: HttpRequest, path: string | undefined, { shedAboveMs, loop }: Context): Reply | undefined {
  if (shedAboveMs === 0 || method !== 'POST' || !questions.has(path ?? '') || loop.lastingMs() <= shedAboveMs)
    return undefined
  return { status: 503, headers: { 'retry-after': '2' }, body: { error: 'service_busy', retry_after: 2 } }
}

/** `path` is that of the endpoint, however the request wrote it; what is none is counted as well. */
function limited(request: HttpRequest, path: string | undefined, context: Context): Reply | undefined {
  const wait = limiterOf(request.method, path, context)?.(request.from ?? '') ?? 0
  return wait > 0
    ? { status: 429, headers: { 'retry-after': String(wait) }, body: { error: 'rate_limited', retry_after: wait } }
    : undefined
}

function limiterOf(method: string, path: string | undefined, { limits }: Context): Take | undefined {
  // Each of these asks a node, and one may make it look through a registry's whole log.
  if (method === 'GET')
    return path !== undefined && /^\/(?:identity|reputation)\//.test(path) ? limits.reads : undefined
  if (method !== 'POST') return undefined
  const isIdentity = path !== undefined && ['/register', '/feedback', '/fees'].some((start) => path.startsWith(start))
  return isIdentity ? limits.identity : limits.payments
}

/** The text of a second is made once. */
function createDates(): (now: number) => string {
  let second = -1
  let text = ''
  return (now) => {
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      text = new Date(current * 1000).toUTCString()
    }
    return text
  }
}
