import { MarketError } from '@ergon/core'
import { createRateLimiter, type RateLimiter, type RateVerdict } from './rate-limit.ts'
import { createRefusedSignatures, type RefusedSignatures } from './refused-signatures.ts'

export type LimitSettings = {
  readonly anonymousPerMinute: number
  readonly walletPerMinute: number
  readonly publishPerHour: number
}

/** How many requests this process did not let pass. */
export function refusalsOf(limits: Limits): number {
  return Object.values(limits).reduce((sum, one: Pick<RateLimiter, 'refusals'>) => sum + one.refusals(), 0)
}

/** The counters of one process (spec §8, decision 0030). A limit of 0 is none. */
export type Limits = {
  readonly anonymous: RateLimiter
  readonly wallet: RateLimiter
  readonly publish: RateLimiter
  /** Signatures that were refused: forging them costs the forger's own budget. */
  readonly refused: RefusedSignatures
  /** Unproven contract wallets of one address: each costs a call to a chain (facts: about 10 a minute). */
  readonly contracts: RateLimiter
  /** Requests of one contract wallet that proved itself, behind one address. */
  readonly provenContracts: RateLimiter
  /** Wrong admin keys of one address; the right one is never counted (spec §8, decision 0058). */
  readonly adminKeys: RateLimiter
}

const minuteMs = 60_000
const contractsPerMinute = 10

/** For who asked a chain too often whether a contract signed. */
export const tooManyContracts = (): MarketError => new MarketError('RATE_LIMITED', { limit: contractsPerMinute })

/** The settings are asked at each request: they may change while the service runs (decision 0058). */
export function createLimits(settings: LimitSettings): Limits {
  return {
    anonymous: createRateLimiter(() => settings.anonymousPerMinute, minuteMs),
    wallet: createRateLimiter(() => settings.walletPerMinute, minuteMs),
    publish: createRateLimiter(() => settings.publishPerHour, 60 * minuteMs),
    refused: createRefusedSignatures(() => settings.anonymousPerMinute),
    contracts: createRateLimiter(contractsPerMinute, minuteMs),
    provenContracts: createRateLimiter(() => settings.walletPerMinute, minuteMs),
    adminKeys: createRateLimiter(10, minuteMs),
  }
}

/** @throws RATE_LIMITED with limit, remaining and reset_at */
export function demand(verdict: RateVerdict, now: number): RateVerdict {
  if (verdict.allowed) return verdict
  throw new MarketError('RATE_LIMITED', {
    limit: verdict.limit,
    remaining: verdict.remaining,
    reset_at: new Date(verdict.resetAt).toISOString(),
    retry_after_sec: Math.max(1, Math.ceil((verdict.resetAt - now) / 1000)),
  })
}

/** RateLimit headers as they stand on every answer; nothing where no limit applies. */
export function rateHeaders(verdict: RateVerdict | null, now: number): Readonly<Record<string, string>> {
  if (verdict === null || verdict.limit === 0) return {}
  const resetSec = String(Math.max(0, Math.ceil((verdict.resetAt - now) / 1000)))
  return {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': resetSec,
  }
}
