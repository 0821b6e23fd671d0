import type { Rate } from '../config/config.ts'
import { Refusal } from '../errors.ts'

/** Seats that calls sit on while they are under way: so many of one address, and in all. */
export function createSeats(most: { readonly address: number; readonly all: number }): (address: string) => Disposable {
  const taken = new Map<string, number>()
  let all = 0
  return (address) => {
    const own = taken.get(address) ?? 0
    if (all >= most.all || own >= most.address)
      throw new Refusal(503, 'gateway_busy', 'too many calls are under way', { retryAfterSec: 1 })
    all += 1
    taken.set(address, own + 1)
    let isFree = false
    return {
      [Symbol.dispose]() {
        if (isFree) return
        isFree = true
        all -= 1
        const left = (taken.get(address) ?? 1) - 1
        if (left > 0) taken.set(address, left)
        else taken.delete(address)
      },
    }
  }
}

const mostKeys = 20_000

/**
 * A token bucket for each address: what fails, and what costs the operator, is spent from it. The table is bounded: a
 * full one forgets the address that was counted longest ago, which favours a caller.
 */
export function createBuckets({ burst, perMinute }: Rate, now = () => performance.now()): (key: string) => void {
  const perSec = perMinute / 60
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (key) => {
    const at = now()
    const bucket = buckets.get(key) ?? { tokens: burst, at }
    // The newest comes last.
    buckets.delete(key)
    const [oldest] = buckets.size >= mostKeys ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1_000) * perSec)
    bucket.at = at
    buckets.set(key, bucket)
    if (bucket.tokens < 1) {
      const retryAfterSec = Math.ceil((1 - bucket.tokens) / perSec)
      throw new Refusal(429, 'rate_limited', 'too many of these at once', { retryAfterSec })
    }
    bucket.tokens -= 1
  }
}
