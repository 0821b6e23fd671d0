import { createBuckets } from '@ergon/process'
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

/** Buckets for addresses: what fails, and what costs the operator, is taken from them. @throws Refusal */
export function createDemands({ burst, perMinute }: Rate, now?: () => number): (key: string) => void {
  const take = createBuckets({ burst, perSecond: perMinute / 60 }, now)
  return (key) => {
    const retryAfterSec = take(key)
    if (retryAfterSec > 0) throw new Refusal(429, 'rate_limited', 'too many of these at once', { retryAfterSec })
  }
}
