import { addressKey } from '@ergon/protocols'
import { OAuthError, type AuthorizationServer } from '@ergon/oauth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal } from '../../dispatch/refusal.ts'
import type { ConsentOrders } from '../../sessions/consent-orders.ts'
import type { LinkedSignIn } from '../../sessions/linked-sign-in.ts'
import type { RequestLine } from '../rest.ts'
import type { Chain } from './consent-page.ts'
import { sendOAuthError, sendTooMany } from './oauth-answers.ts'
import type { OAuthBudget, OAuthLimits } from './oauth-limits.ts'
import { tongueOf, type Tongue } from './page-words.ts'

export type OAuthDeps = {
  readonly server: AuthorizationServer
  readonly orders: ConsentOrders
  /** Null where no external signers are linked. */
  readonly linked: LinkedSignIn | null
  readonly limits: OAuthLimits
  /** The first is preferred. */
  readonly chains: readonly Chain[]
  readonly now: () => number
  readonly onRequest: (line: RequestLine) => void
  readonly onFault: (fault: unknown, requestId: string) => void
}

/** What the routes of pages share. */
export type PageDeps = OAuthDeps & { readonly isSecure: boolean }

/** Registrations and forms are small. */
export const bodyLimit = 16_384

/** The query as it came, so that a repeated field is seen. */
export function queryOf(request: FastifyRequest): string {
  const target = request.raw.url ?? ''
  const at = target.indexOf('?')
  return at < 0 ? '' : target.slice(at + 1)
}

/** @throws OAuthError when it is no form */
export function readForm(request: FastifyRequest): string {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new OAuthError('invalid_request', 'the body must be a form: application/x-www-form-urlencoded')
  return bytesOf(request).toString('utf8')
}

export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** The tongue of a page: what is given, or asked for, or else what the browser reads. */
export function tongueFor(request: FastifyRequest, given: string | null = null): Tongue {
  const query = new URLSearchParams(queryOf(request))
  const asked = given ?? query.get('lang') ?? query.get('ui_locales')?.slice(0, 2) ?? null
  return tongueOf(asked, request.headers['accept-language'])
}

/** Nothing of where a browser was is kept or told. */
export function redirectTo(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).send()
}

/** Counts a request, answers it, and writes its line; what goes wrong is answered as the protocol has it. */
export async function answered(
  deps: OAuthDeps,
  budget: OAuthBudget,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (address: string) => Promise<FastifyReply>,
  onError: (reply: FastifyReply, thrown: unknown) => FastifyReply = sendOAuthError,
): Promise<FastifyReply> {
  const startedAt = performance.now()
  const address = addressKey(request.ip)
  reply.header('x-request-id', request.id)
  try {
    const waitSec = deps.limits.take(budget, address, deps.now())
    await (waitSec > 0 ? sendTooMany(reply, waitSec) : answer(address))
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) && !isRefusal(thrown)) deps.onFault(thrown, request.id)
    // Who left before the end of an answer gets no second one.
    if (!reply.sent) await onError(reply, thrown)
  } finally {
    deps.onRequest({
      id: request.id,
      op: `oauth.${budget}`,
      method: request.method,
      path: (request.url.split('?', 1)[0] ?? '').slice(0, 200),
      status: reply.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    })
  }
  return reply
}
