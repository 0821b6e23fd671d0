import { divideBounty } from '../disputes/dispute.ts'
import { isAfter, totalsOf, type Movement, type Totals } from '../escrow/movement.ts'
import type { CaptureOrder, VoidOrder } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Place } from './close-dispute.ts'

/** An open settlement of a payment of which others moved something, with all that moved. */
export type Emptying = {
  readonly settlement: Settlement & { readonly order: CaptureOrder | VoidOrder }
  readonly movements: readonly Movement[]
  readonly totals: Totals
}

/** The worker's share of the verdict less what was paid out already, and never more than there is. */
export async function awardLeft(
  { tx }: Pick<Place, 'tx'>,
  { settlement, movements, totals }: Emptying,
): Promise<bigint> {
  // Both signed an amount: what was paid out since then counts.
  if (settlement.offerId !== null) {
    const { amount, after } = settlement.order
    const since = totalsOf(movements.filter((one) => isAfter(one, after))).captured
    return within(amount.atomic - since, totals.capturable)
  }
  const dispute = settlement.submissionId === null ? null : await tx.lockDisputeOf(settlement.submissionId)
  if (dispute === null || dispute.resolution === null) return 0n
  const locked = {
    atomic: totals.capturable + totals.captured + totals.returned,
    asset: settlement.order.payment.asset,
  }
  return within(divideBounty(locked, dispute.resolution).award.atomic - totals.captured, totals.capturable)
}

/** From nothing to the most there is. */
export function within(atomic: bigint, most: bigint): bigint {
  if (atomic < 0n) return 0n
  return atomic < most ? atomic : most
}
