import type { Tx } from '../ports/store.ts'
import { isOpen, type Refusal, type Settlement } from '../settlements/settlement.ts'
import type { Amount } from '../money/amount.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { reopenDispute } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'

/**
 * Undoes a claim whose payment did not happen: the task is where it was, and the log says why. Answers false when
 * somebody else has taken the settlement up since, in which case theirs is the word that counts.
 */
export async function giveBack(deps: MarketDeps, settlement: Settlement, refusal: Refusal): Promise<boolean> {
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null) return false
    if (current.status === 'refused') return true
    if (!isOpen(current) || current.attempts !== settlement.attempts) return false
    await tx.endSettlement(settlement.id, { status: 'refused', code: refusal.code }, now)
    await undo(tx, task, current, now)
    await note(deps, tx, current, refusal, now)
    return true
  })
}

async function undo(tx: Tx, task: Task, settlement: Settlement, now: Date): Promise<void> {
  switch (settlement.purpose) {
    case 'lock':
      if (canMove(task.status, 'undoLock')) await tx.moveTask(task.id, 'published', now, { escrowStatus: 'pending_assignment' })
      return
    case 'award':
    case 'return':
      await tx.changeTask(task.id, { escrowStatus: 'authorized' }, now)
      if (settlement.submissionId !== null) await tx.refuseRemainderOf(settlement.submissionId, now)
      await reopenDispute({ tx }, settlement.submissionId)
      return
    case 'release':
    case 'refund':
    case 'stepdown':
      await tx.changeTask(task.id, { escrowStatus: 'authorized' }, now)
      return
    case 'payout':
      if (settlement.submissionId !== null) await tx.refuseFeeOf(settlement.submissionId, now)
      return
    case 'fee':
    case 'remainder':
  }
}

/** Codes after which the same assignment may succeed, with a fresh signature where it needs one. */
const worthRepeating: ReadonlySet<string> = new Set(['INSUFFICIENT_FUNDS', 'LOCK_REVERTED', 'SETTLEMENT_FAILED', 'AUTHORIZATION_EXPIRED'])

async function note(deps: MarketDeps, tx: Tx, settlement: Settlement, refusal: Refusal, now: Date): Promise<void> {
  const amount = amountOfOrder(settlement)
  const type = settlement.order.kind === 'void' ? 'refund' : settlement.purpose === 'fee' ? 'disburse_fee' : 'settle'
  await tx.addPaymentEvent({ id: deps.ids.next(), taskId: settlement.taskId, type, status: 'failed', amount, asset: amount.asset, from: null, to: null, txHash: null, note: refusal.code, at: now })
  const taskId = settlement.taskId
  if (settlement.purpose === 'lock') {
    await tx.addEvent({ id: deps.ids.next(), type: 'task.assign_failed', taskId, at: now, data: { task_id: taskId, code: refusal.code, retryable: worthRepeating.has(refusal.code) } })
  } else {
    await tx.addEvent({ id: deps.ids.next(), type: 'payment.failed', taskId, at: now, data: { task_id: taskId, code: refusal.code } })
  }
}

function amountOfOrder({ order }: Settlement): Amount {
  switch (order.kind) {
    case 'authorize':
      return { atomic: order.payment.maxAmount, asset: order.payment.asset }
    case 'capture':
    case 'void':
      return order.amount
    case 'charge':
      return order.transfer.amount
  }
}
