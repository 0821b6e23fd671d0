import { deadlineOf, networkOf, type RailOrder } from '../settlements/order.ts'
import type { MarketDeps } from './deps.ts'
import { readable } from './readable.ts'

/** How far the clock of a chain may be behind ours. */
export const chainClockSec = 300

/**
 * Whether the chain itself takes an order no more, so that absent means never. Asked before the order is looked for:
 * what lands between the two readings is seen by the second.
 */
export async function isDead(deps: MarketDeps, order: RailOrder): Promise<boolean> {
  const last = deadlineOf(order)
  const now = BigInt(Math.floor(deps.clock.now().getTime() / 1_000))
  if (last === null || now <= last) return false
  if (now > last + BigInt(chainClockSec)) return true
  const newest = await readable(() => deps.rails(networkOf(order)).chainTime())
  return newest !== null && BigInt(Math.floor(newest.getTime() / 1_000)) > last
}
