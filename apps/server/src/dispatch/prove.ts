import type { Authenticate, Principal } from './authenticate.ts'
import { demand, type Limits } from './limits.ts'
import type { RateVerdict } from './rate-limit.ts'
import type { RawRequest } from './request.ts'

export type ProveDeps = {
  readonly authenticate: Authenticate
  readonly limits: Limits
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Who sends a request: the wallet that signed it, or whoever `otherwise` finds. What is refused counts against the
 * address (decision 0030).
 * @throws RATE_LIMITED, and what `authenticate` throws
 */
export async function prove(deps: ProveDeps, request: RawRequest, isUnlimited: boolean, otherwise: () => Promise<Principal | null>): Promise<Principal | null> {
  const now = deps.now()
  if (!isUnlimited) demand(deps.limits.refused.peek(request.ip, now), now)
  try {
    // A signature wins; the cookie beside it is what a browser sends by itself (decision 0048).
    return (await deps.authenticate(request)) ?? (await otherwise())
  } catch (error) {
    deps.limits.refused.take(request.ip, now)
    throw error
  }
}

/** Counts a request against its wallet, or against its address when nobody signed it. */
export function count({ limits, now }: ProveDeps, request: RawRequest, principal: Principal | null): RateVerdict {
  return principal === null ? limits.anonymous.take(request.ip, now()) : limits.wallet.take(principal.wallet, now())
}
