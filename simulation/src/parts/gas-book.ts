import { createMemoryGasBook, type GasBook, type ServiceDeps } from '@ergon/facilitator/testing'
import type { Universe } from '../world/universe.ts'

/** How many of their days begin with all gas spent by other users. */
const crowdedDays = 0.5
/** Enough for two locks, and for one sweep out of a tenth of it. */
const total = 1_000_000

/** Days are short here: what was refused for its gas finds some again while a copy of it is under way. */
export function drawPaymentGas({ random, weather, epochMs, scheduler }: Universe): ServiceDeps['paymentGas'] {
  if (!weather.frugal) return undefined
  const drawn = random.fork('days of gas')
  const book = createMemoryGasBook(() => epochMs + scheduler.now(), drawn.between(2_000, 15_000))
  let seen = ''
  const strangers = async (): Promise<void> => {
    const day = (await book.today('')).day.endsAt.toISOString()
    if (day === seen) return
    seen = day
    if (drawn.chance(crowdedDays)) await book.take([{ gas: total, counts: [{ key: 'pay:total', most: total }] }])
  }
  const shared: GasBook = {
    async take(wishes) {
      await strangers()
      return book.take(wishes)
    },
    today: (key) => book.today(key),
    purge: (limit) => book.purge(limit),
  }
  return { limits: { wallet: 0, client: 0, total }, book: shared }
}
