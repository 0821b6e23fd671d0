import { totalsOf, type Movement } from '../escrow/movement.ts'
import type { BookedMovement, KnownPayment } from '../ports/store-follow.ts'
import { leaseEnd, type Settlement } from '../settlements/settlement.ts'
import type { Place } from './close-dispute.ts'
import { watchEnd } from './give-back.ts'
import { livesBy } from './lives-by.ts'
import { strayOf } from './stray.ts'

/** A booked log that a reorganization undid for good, and all that the chain shows of its payment now. */
export type Undone = {
  readonly movement: BookedMovement
  readonly known: KnownPayment
  readonly left: readonly Movement[]
  /** The publisher approved the work: what is held is the worker's. */
  readonly isApproved: boolean
}

/**
 * What was said to have moved has not moved: its block was undone, and the chain refused it the second time. A lock is
 * given up, and its signature watched. What a payout or a refund should have moved and the escrow still holds goes
 * where it was to go, by a settlement of its own; answers that, to be attempted. `later`: another settlement of what is
 * held comes first, and nothing was written.
 */
export async function takeUpUndone(place: Place, undone: Undone): Promise<Settlement | 'later' | null> {
  const { tx, now } = place
  const { movement, known, left } = undone
  const isLock = movement.kind === 'authorized'
  if (isLock && left.length === 0) {
    await giveUpLock(place, known)
    return null
  }
  const { capturable } = totalsOf(left)
  if (capturable === 0n || stays.has(movement.kind)) return null
  // What others had moved, a task that still lives by the payment counts anew by itself, and so it does where another
  // lock, of another amount, took the place of the one that was undone.
  if ((isLock || movement.settlementId === null) && (await livesBy(place, known.payment.hash))) return null
  // A refund takes all that is held: where that is more than was refunded, a payout was undone too, and comes first.
  if (goesBack.has(movement.kind) && capturable > movement.atomic) return 'later'
  const settlement = leftBehind(place, undone, capturable)
  return (await tx.claimSettlement(settlement, leaseEnd(now))) ? settlement : 'later'
}

const goesBack: ReadonlySet<Movement['kind']> = new Set(['voided', 'reclaimed'])
const stays: ReadonlySet<Movement['kind']> = new Set(['charged', 'refunded'])

/** Nothing was ever held: the task has no escrow to settle. Whoever has the signature may use it until it is dead. */
async function giveUpLock({ tx, task, now }: Place, { payment, lock }: KnownPayment): Promise<void> {
  const current = await tx.lockSettlement(lock.id)
  const watchUntil = current === null ? null : watchEnd(current, now)
  if (current?.status === 'confirmed' && watchUntil !== null)
    await tx.endSettlement(lock.id, { status: 'refused', code: 'LOCK_REVERTED', watchUntil, dueAt: now }, now)
  const stood = await tx.escrowPayment(task.id)
  if (stood?.hash === payment.hash && task.escrowStatus === 'authorized')
    await tx.changeTask(task.id, { escrowStatus: 'refunded' }, now)
}

function leftBehind(place: Place, { movement, known, left, isApproved }: Undone, capturable: bigint): Settlement {
  const { payment, lock } = known
  const isPayout = movement.kind === 'captured'
  return strayOf(place, {
    payment,
    executorId: lock.executorId,
    subject: `${payment.hash}:${movement.txHash}`,
    atomic: isPayout && movement.atomic < capturable ? movement.atomic : capturable,
    to: isPayout || (movement.kind === 'authorized' && isApproved) ? 'worker' : 'payer',
    movements: left,
  })
}
