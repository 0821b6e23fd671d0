import type { EscrowStatus } from '@ergon/contract'
import { placeOf, totalsOf, type Movement } from '../escrow/movement.ts'
import type { BookedMovement, KnownPayment } from '../ports/store-follow.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import type { Place } from './close-dispute.ts'
import { watchEnd } from './give-back.ts'

/** A booked log that a reorganization undid for good, and all that the chain shows of its payment now. */
export type Undone = {
  readonly movement: BookedMovement
  readonly known: KnownPayment
  readonly left: readonly Movement[]
}

/**
 * What was said to have moved has not moved: its block was undone, and the chain refused it the second time. A lock is
 * given up, and its signature watched. What a payout or a refund should have moved and the escrow still holds goes
 * where it was to go, by a settlement of its own; answers that, to be attempted. A claim that is taken already comes
 * first: then it throws, nothing is unbooked, and the next round tries again.
 */
export async function takeUpUndone(place: Place, undone: Undone): Promise<Settlement | null> {
  const { tx, now } = place
  const { movement, known, left } = undone
  if (movement.kind === 'authorized') {
    if (left.length === 0) await giveUpLock(place, known)
    return null
  }
  const { capturable } = totalsOf(left)
  if (capturable === 0n || !moves.has(movement.kind)) return null
  // What others had moved, a task that still lives by the payment counts anew by itself.
  if (movement.settlementId === null && (await isLive(place, known))) return null
  const settlement = leftBehind(place, undone, capturable)
  if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) throw new Error('what was undone is taken up already')
  return settlement
}

const moves: ReadonlySet<Movement['kind']> = new Set(['captured', 'voided', 'reclaimed'])
const settled: ReadonlySet<EscrowStatus> = new Set(['none', 'pending_assignment', 'released', 'refunded'])

async function isLive({ tx, task }: Place, { payment }: KnownPayment): Promise<boolean> {
  const stood = await tx.escrowPayment(task.id)
  return stood?.hash === payment.hash && !settled.has(task.escrowStatus)
}

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

function leftBehind({ deps, task, now }: Place, { movement, known, left }: Undone, capturable: bigint): Settlement {
  const { payment, lock } = known
  const id = deps.ids.next()
  const last = left.at(-1)
  const isPayout = movement.kind === 'captured'
  const common = {
    key: `undone:${movement.txHash}:${id}`,
    payment,
    amount: {
      atomic: isPayout && movement.atomic < capturable ? movement.atomic : capturable,
      asset: payment.asset,
    },
    issuedAt: Math.floor(now.getTime() / 1_000),
    ...(last === undefined ? {} : { after: placeOf(last) }),
  }
  return claimed(id, now, {
    taskId: task.id,
    executorId: lock.executorId,
    purpose: 'stray',
    subject: `${payment.hash}:${movement.txHash}`,
    mustLand: true,
    order: isPayout ? { ...common, kind: 'capture', order: null } : { ...common, kind: 'void' },
  })
}
