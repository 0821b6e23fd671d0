import { MarketError } from '../errors.ts'
import { isEscrowMoving } from '../policy/next-action.ts'
import type { Tx } from '../ports/store.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

/** @throws SUBMISSION_NOT_REVIEWABLE, naming where things stand */
export function requirePending(task: Task, submission: Submission): void {
  if (submission.status !== 'pending_review' || task.status !== 'verifying') {
    throw new MarketError('SUBMISSION_NOT_REVIEWABLE', {
      submission_id: submission.id,
      status: submission.status,
      task_status: task.status,
    })
  }
}

/**
 * What a publisher may approve: what waits for it, and, as long as nobody ruled on it, what it has rejected or is in
 * dispute (decision 0167). @throws SUBMISSION_NOT_REVIEWABLE, DISPUTE_NOT_OPEN
 */
export async function requireApprovable(tx: Tx, task: Task, submission: Submission): Promise<void> {
  if (task.status !== 'disputed') return requirePending(task, submission)
  const dispute = await tx.lockDisputeOf(submission.id)
  const isOwed = dispute?.status === 'resolving' && task.turn?.kind === 'owed'
  if (dispute?.status !== 'open' && !isOwed) return requirePending(task, submission)
  const ruling = await tx.lockRulingOf(task.id)
  if (ruling?.status === 'standing' && !isOwed)
    throw new MarketError('DISPUTE_NOT_OPEN', { dispute_id: dispute.id, ruling_status: ruling.status })
}

/**
 * Whether money of the task is on its way. A bounty that is paid without escrow has no state of its own: what was
 * claimed for it says so.
 */
export async function isMoneyMoving({ store }: Pick<MarketDeps, 'store'>, task: Task): Promise<boolean> {
  return isEscrowMoving(task) || (await store.openSettlement(task.id)) !== null
}

export const inFlight = (submission: Submission): MarketError =>
  new MarketError('APPROVAL_IN_FLIGHT', { submission_id: submission.id })
