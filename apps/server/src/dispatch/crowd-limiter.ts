import { isScarce, newcomerShares } from '@ergon/core'
import { addressNetworks } from '@ergon/protocols'
import { createRateLimiter, type RateLimiter, type RateVerdict } from './rate-limit.ts'

/** What may be asked in a window, of one address and of all of them; 0 is no limit. */
export type CrowdLimits = { readonly ofAddress: number; readonly inAll: number }

export type CrowdLimiter = {
  /** Counts one request of an address, as `addressKey` has it. */
  take(from: string, now: number): RateVerdict
  /** Counts one of an address, or a wallet, that proved itself: newcomers are not in its way. */
  takeProven(from: string, now: number): RateVerdict
}

type Settings = {
  readonly windowMs: number
  /** False: nothing is limited. */
  readonly isLimited?: () => boolean
  /** 0 where nobody can prove itself; left out: the part that every budget keeps. */
  readonly kept?: number
}

/**
 * Counts in this process what has a limit in all, so that a crowd of addresses does not use it up, each within its own
 * limit: their networks have limits, and while little is left an address that had a few waits (decision 0317).
 */
export function createCrowdLimiter(limits: CrowdLimits, { windowMs, kept, isLimited }: Settings): CrowdLimiter {
  const { ofAddress, inAll } = limits
  const limiter = (most: number): RateLimiter =>
    createRateLimiter(() => (isLimited === undefined || isLimited() ? most : 0), windowMs)
  const shares = newcomerShares(limits, kept)
  const [address, all] = [limiter(ofAddress), limiter(inAll)]
  const [near, wide] = [limiter(shares?.ofNear ?? 0), limiter(shares?.ofWide ?? 0)]
  const newcomers = limiter(shares?.inAll ?? 0)
  const takeAll = (steps: readonly (readonly [RateLimiter, string])[], now: number): RateVerdict => {
    const refused = steps.map(([one, key]) => one.peek(key, now)).find((verdict) => !verdict.allowed)
    const taken = refused === undefined ? steps.map(([one, key]) => one.take(key, now)) : []
    return refused ?? taken[0] ?? address.peek('', now)
  }
  /** Refused while little is left; null where nothing is in the way. */
  const waiting = (from: string, now: number): RateVerdict | null => {
    if (shares === null || shares.few === 0) return null
    const [own, share] = [address.peek(from, now), newcomers.peek('all', now)]
    const hadAFew = own.limit > 0 && own.limit - own.remaining >= shares.few
    if (!hadAFew || !isScarce(share.limit - share.remaining, share.limit)) return null
    return { allowed: false, limit: shares.few, remaining: 0, resetAt: share.resetAt }
  }
  return {
    take(from, now) {
      const networks = addressNetworks(from)
      return (
        waiting(from, now) ??
        takeAll(
          [
            [address, from],
            [near, networks.near],
            [wide, networks.wide],
            [newcomers, 'all'],
            [all, 'all'],
          ],
          now,
        )
      )
    },
    takeProven: (from, now) =>
      takeAll(
        [
          [address, from],
          [all, 'all'],
        ],
        now,
      ),
  }
}
