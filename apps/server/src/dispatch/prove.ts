import { errorCatalogue } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import type { Authenticate, Principal } from './authenticate.ts'
import { demand, type Limits } from './limits.ts'
import type { RateVerdict } from './rate-limit.ts'
import { claimOf } from './refused-signatures.ts'
import type { RawRequest } from './request.ts'

export type ProveDeps = {
  readonly authenticate: Authenticate
  readonly limits: Limits
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Who sends a request: the wallet that signed it, or whoever `otherwise` finds. A signature that is refused counts
 * against what it claims and against its address (decisions 0030, 0090); what carries none is not asked about it.
 * @throws RATE_LIMITED, and what `authenticate` throws
 */
export async function prove(
  deps: ProveDeps,
  request: RawRequest,
  isUnlimited: boolean,
  otherwise: () => Promise<Principal | null>,
): Promise<Principal | null> {
  const claim = claimOf(request)
  if (claim === null) return otherwise()
  const { refused } = deps.limits
  const now = deps.now()
  const verdict = isUnlimited ? null : refused.look(claim, now)
  if (verdict !== null) demand(verdict, now)
  try {
    // A signature wins; the cookie beside it is what a browser sends by itself (decision 0048).
    const principal = await deps.authenticate(request)
    refused.proved(claim, now)
    return principal
  } catch (error) {
    if (isRefused(error)) refused.failed(claim, now)
    throw error
  }
}

/** What could not be checked just now was not refused. */
export function isRefused(error: unknown): boolean {
  return error instanceof MarketError && errorCatalogue[error.code].status < 500
}

/** Counts a request against its wallet, or against its address when nobody signed it. */
export function count({ limits, now }: ProveDeps, request: RawRequest, principal: Principal | null): RateVerdict {
  return principal === null ? limits.anonymous.take(request.ip, now()) : limits.wallet.take(principal.wallet, now())
}
