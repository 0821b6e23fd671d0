import type { RateLimit } from '../config/config.ts'

export type RateLimiter = {
  /** Zero when the request may pass, else the seconds to wait. */
  take(key: string): number
}

const maxKeys = 20_000

/** A token bucket per caller. */
export function createRateLimiter(limit: RateLimit, now: () => number): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(key) {
      const at = now()
      // Full buckets need no memory; a flood of addresses must not grow it.
      if (buckets.size > maxKeys) buckets.clear()
      const bucket = buckets.get(key) ?? { tokens: limit.burst, at }
      bucket.tokens = Math.min(limit.burst, bucket.tokens + ((at - bucket.at) / 1000) * limit.perSecond)
      bucket.at = at
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / limit.perSecond)
      bucket.tokens -= 1
      return 0
    },
  }
}
