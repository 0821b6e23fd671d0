import type { Tx } from '../ports/store.ts'
import { deadlineOf } from '../settlements/order.ts'
import { isOpen, type Refusal, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { reopenOffer } from './agreed.ts'
import { reopenDispute, type Place } from './close-dispute.ts'
import { amountOf } from './confirm-resolution.ts'
import type { MarketDeps } from './deps.ts'
import { chainClockSec } from './dead.ts'
import { strayOf } from './stray.ts'

/**
 * Undoes a claim whose payment did not happen, and of which no copy can happen any more: the task is where it was, and
 * the log says why. A signature that its payer could still use is watched. Answers false when another process has taken
 * the settlement up since, in which case theirs is the word that counts.
 */
export async function giveBack(deps: MarketDeps, settlement: Settlement, refusal: Refusal): Promise<boolean> {
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null) return false
    if (current.status === 'refused') return true
    if (!isOpen(current) || current.attempts !== settlement.attempts) return false
    await undoClaim({ deps, tx, task, now }, current, refusal)
    return true
  })
}

/** The same within a transaction that holds the task and its open settlement. */
export async function undoClaim(place: Place, settlement: Settlement, refusal: Refusal): Promise<void> {
  const { deps, tx, now } = place
  const watchUntil = watchEnd(settlement, now)
  await tx.endSettlement(
    settlement.id,
    { status: 'refused', code: refusal.code, ...(watchUntil === null ? {} : { watchUntil, dueAt: now }) },
    now,
  )
  await undo(place, settlement)
  await note(deps, tx, settlement, refusal, now)
}

/** The longest a signature is watched: nobody signs for longer who means it. */
const watchMostMs = 30 * 86_400_000

/** One that has run out is looked at once more: it may have been used in time, and hold its payer's money. */
export function watchEnd({ order }: Settlement, now: Date): Date | null {
  const last = order.kind === 'authorize' || order.kind === 'charge' ? deadlineOf(order) : null
  if (last === null) return null
  const end = Math.min((Number(last) + chainClockSec) * 1_000, now.getTime() + watchMostMs)
  return new Date(Math.max(end, now.getTime()))
}

async function undo(place: Place, settlement: Settlement): Promise<void> {
  const { tx, task, now } = place
  switch (settlement.purpose) {
    case 'lock':
      if (canMove(task.status, 'undoLock'))
        await tx.moveTask(task.id, 'published', now, { escrowStatus: 'pending_assignment' })
      return
    case 'award':
    case 'return':
      await tx.changeTask(task.id, { escrowStatus: 'authorized' }, now)
      await tx.refuseRemainderOf(task.id, now)
      if (settlement.offerId !== null) return reopenOffer(tx, settlement)
      await reopenDispute({ tx }, settlement.submissionId)
      return waitForRuling(place)
    case 'release':
    case 'refund':
    case 'stepdown':
      await tx.changeTask(task.id, { escrowStatus: 'authorized' }, now)
      return
    case 'payout':
      if (settlement.submissionId !== null) await refuseFee(tx, settlement.submissionId, now)
      await reopenOffer(tx, settlement)
      return
    case 'stray':
      await sendBack(place, settlement)
      return
    case 'fee':
    case 'remainder':
  }
}

/**
 * What was ruled and could not be carried out is carried out later, and no deadline passes over it; what was appealed
 * waits for the operator again (decision 0168).
 */
async function waitForRuling({ tx, task, now }: Place): Promise<void> {
  const ruling = await tx.lockRulingOf(task.id)
  if (ruling?.status === 'standing')
    await tx.changeTask(task.id, { turn: { kind: 'ruling', untilMs: ruling.appealUntil.getTime() } }, now)
  if (ruling?.status === 'appealed') await tx.changeTask(task.id, { turn: { kind: 'appealed' } }, now)
}

/** What nobody can be paid any more, for its authorization has run out, goes back to the payer. */
async function sendBack(place: Place, { order, executorId, subject }: Settlement): Promise<void> {
  if (order.kind !== 'capture') return
  const { payment, amount } = order
  const { atomic } = amount
  const movements = await place.tx.movements(payment.network, payment.hash)
  const stray = strayOf(place, { payment, executorId, subject: `${subject}:back`, atomic, to: 'payer', movements })
  await place.tx.claimSettlement(stray, place.now)
}

/** The fee falls with its payout. Whoever has its signature may carry it to the chain all the same. */
export async function refuseFee(tx: Tx, submissionId: string, now: Date): Promise<void> {
  const fee = await tx.refuseFeeOf(submissionId, now)
  const watchUntil = fee === null ? null : watchEnd(fee, now)
  if (fee !== null && watchUntil !== null)
    await tx.endSettlement(fee.id, { status: 'refused', watchUntil, dueAt: now }, now)
}

/** Codes after which the same assignment may succeed, with a fresh signature where it needs one. */
const worthRepeating: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'LOCK_REVERTED',
  'SETTLEMENT_FAILED',
  'AUTHORIZATION_EXPIRED',
  'GAS_BUDGET_SPENT',
])

async function note(deps: MarketDeps, tx: Tx, settlement: Settlement, refusal: Refusal, now: Date): Promise<void> {
  const amount = amountOf(settlement.order)
  const type = settlement.order.kind === 'void' ? 'refund' : settlement.purpose === 'fee' ? 'disburse_fee' : 'settle'
  await tx.addPaymentEvent({
    id: deps.ids.next(),
    taskId: settlement.taskId,
    type,
    status: 'failed',
    amount,
    asset: amount.asset,
    from: null,
    to: null,
    txHash: null,
    note: refusal.code,
    at: now,
  })
  const taskId = settlement.taskId
  if (settlement.purpose === 'lock') {
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'task.assign_failed',
      taskId,
      at: now,
      data: { task_id: taskId, code: refusal.code, retryable: worthRepeating.has(refusal.code) },
    })
  } else {
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'payment.failed',
      taskId,
      at: now,
      data: { task_id: taskId, code: refusal.code },
    })
  }
}
