import type { createService } from '@ergon/facilitator/testing'

type StandingBook = NonNullable<Parameters<typeof createService>[0]['standing']>
type Place = { readonly amount: bigint; holders: number; isKept: boolean }

/** The count of standing orders, as the facilitators' database keeps it: it outlives every process. */
export function createStandingBook(): StandingBook {
  const orders = new Map<string, Map<string, Place>>()
  const takenBack = new Set<string>()
  const placesOf = (order: string): Map<string, Place> => {
    const places = orders.get(order) ?? new Map<string, Place>()
    orders.set(order, places)
    return places
  }
  return {
    hold({ order, payment, amount, maxTotal, maxCount }) {
      if (takenBack.has(order)) return Promise.resolve('revoked')
      const places = placesOf(order)
      const mine = places.get(payment)
      if (mine !== undefined) {
        if (mine.amount !== amount) return Promise.resolve('other')
        mine.holders += 1
        return Promise.resolve('held')
      }
      const spent = [...places.values()].reduce((sum, place) => sum + place.amount, 0n)
      if (places.size >= maxCount || spent + amount > maxTotal) return Promise.resolve('spent')
      places.set(payment, { amount, holders: 1, isKept: false })
      return Promise.resolve('held')
    },
    drop({ order, payment }) {
      const places = placesOf(order)
      const mine = places.get(payment)
      if (mine !== undefined) mine.holders -= 1
      if (mine !== undefined && mine.holders <= 0 && !mine.isKept) places.delete(payment)
      return Promise.resolve()
    },
    keep({ order, payment }) {
      const mine = placesOf(order).get(payment)
      if (mine !== undefined) mine.isKept = true
      return Promise.resolve()
    },
    revoke({ order }) {
      takenBack.add(order)
      return Promise.resolve([...placesOf(order).values()].filter(({ isKept }) => !isKept).length)
    },
    purge: () => Promise.resolve(0),
  }
}
