import { isScarce, MarketError, seatShares } from '@ergon/core'
import { addressNetworks } from '@ergon/protocols'

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

/**
 * Counts by address and by its networks, so that a crowd does not hold all seats, each within its own limit; while half
 * are taken, an address that holds a few waits (decision 0317).
 */
export function createAddressSeats(inAll: number, ofAddress: number): Pick<Seats, 'take'> {
  const { ofNear, ofWide, few } = seatShares({ ofAddress, inAll })
  const counts = new Map<string, number>()
  let taken = 0
  const change = (keys: readonly string[], by: 1 | -1): void => {
    taken += by
    for (const key of keys) {
      const left = (counts.get(key) ?? 0) + by
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    }
  }
  return {
    take(address) {
      const { near, wide } = addressNetworks(address)
      const most = {
        [`address ${address}`]: isScarce(taken, inAll) ? Math.min(ofAddress, few) : ofAddress,
        [`near ${near}`]: ofNear,
        [`wide ${wide}`]: ofWide,
      }
      const full = Object.entries(most).find(([key, limit]) => (counts.get(key) ?? 0) >= limit)
      if (full !== undefined) throw new MarketError('RATE_LIMITED', { limit: full[1], remaining: 0 })
      const keys = Object.keys(most)
      change(keys, 1)
      let isHeld = true
      return () => {
        if (isHeld) change(keys, -1)
        isHeld = false
      }
    },
  }
}
