import { normalizeAuthority } from '@ergon/protocols'
import { refusal } from '../../dispatch/refusal.ts'
import { demand } from '../../dispatch/limits.ts'
import { headerOf } from '../../dispatch/plan.ts'
import type { Bearers } from '../../dispatch/bearers.ts'
import { count, prove, type ProveDeps } from '../../dispatch/prove.ts'
import type { RateVerdict } from '../../dispatch/rate-limit.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import type { Origins } from '../../sessions/origins.ts'
import type { Sender } from './inner-call.ts'

export type DoorDeps = ProveDeps & {
  /** Hosts that lead here. */
  readonly authorities: readonly string[]
  readonly origins: Pick<Origins, 'allows'>
  /** Null while the rail for delegated tokens is off. */
  readonly bearers: Bearers | null
  readonly isAdminKey: (given: string | undefined) => boolean
}

/** What was learnt at the door, for headers of the answer. */
export type Admission = { rate: RateVerdict | null }

/**
 * Every request of the tool protocol is verified here, whatever it asks (spec §5.6): host and origin, token or
 * signature, rate limit, nonce. The nonce is spent at once: a tool's answer has no status that could tell of a replay
 * (decision 0063).
 * @throws HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, UNAUTHORIZED, RATE_LIMITED and the codes of signatures and tokens
 */
export async function admit(deps: DoorDeps, request: RawRequest, admission: Admission): Promise<Sender> {
  const host = normalizeAuthority(headerOf(request, 'host') ?? '')
  if (!deps.authorities.some((one) => normalizeAuthority(one) === host)) throw refusal('HOST_NOT_ALLOWED')
  const origin = headerOf(request, 'origin')
  if (origin !== undefined && !deps.origins.allows(origin))
    throw refusal('ORIGIN_NOT_ALLOWED', {}, 'Pages of this origin may not call tools here.')
  const isUnlimited = demandRightKey(deps, request)
  const principal =
    (await deps.bearers?.prove(request)) ?? (await prove(deps, request, isUnlimited, () => Promise.resolve(null)))
  if (!isUnlimited) {
    admission.rate = count(deps, request, principal)
    demand(admission.rate, deps.now())
  }
  if (principal === null) throw refusal('UNAUTHORIZED')
  await principal.consumeNonce()
  return { principal: { ...principal, consumeNonce: () => Promise.resolve() }, request }
}

/** The admin key is unlimited here too, and says no more than that (spec §8). @throws INVALID_API_KEY, RATE_LIMITED */
function demandRightKey({ isAdminKey, limits, now }: DoorDeps, request: RawRequest): boolean {
  const given = headerOf(request, 'x-admin-key')
  if (given === undefined || isAdminKey(given)) return given !== undefined
  demand(limits.adminKeys.take(request.ip, now()), now())
  throw refusal('INVALID_API_KEY')
}
