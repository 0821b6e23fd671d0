import { shareOut, type GasBook, type GasDay } from '../gas/gas-book.ts'

const usualDayMs = 86_400_000

/** The gas of a day in memory, as PostgreSQL would count it. A day may be shorter than it is: then it turns often. */
export function createMemoryGasBook(now: () => number, dayMs = usualDayMs): GasBook {
  let counted = new Map<string, number>()
  let current = -1
  const turn = (): GasDay => {
    const day = Math.floor(now() / dayMs)
    if (day !== current) counted = new Map()
    current = day
    const endsAt = (day + 1) * dayMs
    return { endsAt: new Date(endsAt), secondsLeft: Math.max(1, Math.ceil((endsAt - now()) / 1_000)) }
  }
  return {
    async take(wishes) {
      const day = turn()
      return { spent: shareOut(wishes, counted).spent, day }
    },
    async today(key) {
      const day = turn()
      return { gas: counted.get(key) ?? 0, day }
    },
    purge: () => Promise.resolve(0),
  }
}
