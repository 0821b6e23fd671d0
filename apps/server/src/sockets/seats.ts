import { MarketError } from '@ergon/core'

export type Seats = {
  /** @throws SERVICE_BUSY when all are taken, RATE_LIMITED when this one holds its share */
  take(key: string): () => void
  /** How many keys hold any. */
  readonly held: number
}

/** Counts what is held open: so many in all, so many for each. What is given back twice counts once. */
export function createSeats(inAll: number, each: number): Seats {
  const counts = new Map<string, number>()
  let taken = 0
  return {
    take(key) {
      const count = counts.get(key) ?? 0
      if (taken >= inAll) throw new MarketError('SERVICE_BUSY')
      if (count >= each) throw new MarketError('RATE_LIMITED', { limit: each, remaining: 0 })
      counts.set(key, count + 1)
      taken += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        const left = (counts.get(key) ?? 1) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
    get held() {
      return counts.size
    },
  }
}
