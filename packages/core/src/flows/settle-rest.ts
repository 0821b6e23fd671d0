import { isAfter, placeOf, totalsOf, type LogPlace, type Movement } from '../escrow/movement.ts'
import type { Landed } from '../ports/rail.ts'
import { networkOf, reissued, type CaptureOrder, type VoidOrder } from '../settlements/order.ts'
import { isOpen, sendBefore, type Refusal, type Settlement } from '../settlements/settlement.ts'
import { awardLeft, type Emptying } from './award-left.ts'
import { bookMovement } from './book-movement.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { endEmptied } from './emptied.ts'
import { undoClaim } from './give-back.ts'
import { readable } from './readable.ts'
import type { Ending } from './settle.ts'

/** `again`: an order for what is left took the place of the old one. `landed`: it is on chain after all. */
export type Rest =
  { readonly again: Settlement } | { readonly landed: Landed } | { readonly ending: Ending } | 'unreadable' | 'taken up'

type EscrowStep = CaptureOrder | VoidOrder

/**
 * `capturable`: what the payment's state was just read to hold. `past`: a log that another settlement brought about;
 * none up to it is the order's own.
 *
 * A payer may pay funds out, or take them back, on chain and past us, in parts and in any mixture (decision 0082).
 * Books every movement with its own transaction; what is still capturable is settled, and where nothing is, the
 * settlement ends.
 */
export async function settleRest(
  deps: MarketDeps,
  settlement: Settlement,
  capturable: bigint,
  past?: LogPlace,
): Promise<Rest> {
  const { order } = settlement
  if (order.kind !== 'capture' && order.kind !== 'void') return 'taken up'
  const movements = await readable(() => deps.rails(networkOf(order)).movements(order.payment))
  if (movements === null) return 'unreadable'
  if (movements.length === 0) return capturable === 0n ? endUndone(deps, settlement, order) : 'unreadable'
  const own = movements.find((one) => isOrder(order, one) && isAfter(one, past))
  if (own !== undefined) return { landed: landedBy(own) }
  const totals = totalsOf(movements)
  // Held money only grows less, so logs that leave more of it than the state are older than the state. Logs that do not
  // show what the state does: the node is behind itself.
  if (totals.capturable > capturable) return 'unreadable'
  if (order.kind === 'void' ? totals.capturable === order.amount.atomic : totals.capturable >= order.amount.atomic)
    return 'unreadable'
  return whileOpen(deps, settlement, async (place, current) => {
    const booked = await place.tx.movements(networkOf(order), order.payment.hash)
    // Two looks at a node that is behind agree with one another; what was booked shows how far it is behind.
    if (!booked.every((one) => movements.some((seen) => seen.txHash === one.txHash && seen.kind === one.kind)))
      return 'unreadable'
    for (const movement of movements) await bookMovement(place, order.payment, movement, null)
    const emptying = { settlement: { ...current, order }, movements, totals }
    return totals.capturable === 0n ? { ending: await endEmptied(place, emptying) } : divide(place, emptying)
  })
}

/**
 * A payment that the chain tells of nowhere. As long as the books do, its lock may be in a block that was given up, or
 * the node is behind; once they do not, it was unbooked for good (`unbook-lost.ts`).
 */
function endUndone(deps: MarketDeps, settlement: Settlement, order: EscrowStep): Promise<Rest> {
  return whileOpen(deps, settlement, async (place, current) => {
    if ((await place.tx.movements(networkOf(order), order.payment.hash)).length > 0) return 'unreadable'
    const emptying = { settlement: { ...current, order }, movements: [], totals: totalsOf([]) }
    return { ending: await endEmptied(place, emptying) }
  })
}

/** In one transaction, with task and settlement locked, and only while nobody else has taken the settlement up. */
function whileOpen(
  deps: MarketDeps,
  { id, taskId, attempts }: Settlement,
  end: (place: Place, current: Settlement) => Promise<Rest>,
): Promise<Rest> {
  const now = deps.clock.now()
  return deps.store.transaction(async (tx): Promise<Rest> => {
    const task = await tx.lockTask(taskId)
    const current = await tx.lockSettlement(id)
    if (task === null || current === null || !isOpen(current) || current.attempts !== attempts) return 'taken up'
    return end({ deps, tx, task, now }, current)
  })
}

/** What moved may be the order itself, of which the chain was a block behind when it was asked for. */
function isOrder(order: EscrowStep, movement: Movement): boolean {
  return (
    movement.kind === (order.kind === 'void' ? 'voided' : 'captured') &&
    movement.atomic === order.amount.atomic &&
    isAfter(movement, order.after)
  )
}

const landedBy = ({ txHash, feeBps, ...at }: Movement): Landed => ({
  txHash,
  ...placeOf(at),
  ...(feeBps === null ? {} : { feeBps }),
})

const changed: Refusal = {
  code: 'LIFECYCLE_ORDER_INVALID',
  details: { reason: 'part of the bounty was released on chain' },
  message:
    'Part of the bounty was released on chain past this service. Read the lifecycle challenge again and sign it: its amount is what is left.',
}

async function divide(place: Place, emptying: Emptying): Promise<Rest> {
  const { settlement, totals } = emptying
  const { order } = settlement
  if (order.kind === 'void' || settlement.purpose === 'stray') return again(place, emptying, totals.capturable)
  if (order.order !== null) {
    await undoClaim(place, settlement, changed)
    return { ending: { state: 'refused', refusal: changed } }
  }
  const award = await awardLeft(place, emptying)
  if (award > 0n) return again(place, emptying, award)
  // The worker has the share of the verdict already, and the rest of the verdict is the remainder's.
  await place.tx.endSettlement(settlement.id, { status: 'refused', code: 'ESCROW_NOT_RELEASABLE' }, place.now)
  await place.tx.changeTask(place.task.id, { escrowStatus: 'refunding' }, place.now)
  place.deps.wakeup.settlements()
  return { ending: { state: 'open' } }
}

/** The old order asks for more than there is, and there will never be more: it can land no more. */
async function again({ tx, now }: Place, { settlement, movements }: Emptying, atomic: bigint): Promise<Rest> {
  const last = movements.at(-1)
  const after = last === undefined ? {} : { after: placeOf(last) }
  const order = reissued(settlement.order, now, { amount: { ...settlement.order.amount, atomic }, ...after })
  const sentUntil = sendBefore(now)
  await tx.endSettlement(settlement.id, { status: settlement.status, order, sentUntil }, now)
  return { again: { ...settlement, order, sentUntil, isWaiting: false } }
}
