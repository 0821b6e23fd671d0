import type { DisputeReason } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import type { Tx } from '../ports/store.ts'
import type { Submission } from '../submissions/submission.ts'
import { canMove, type Move } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { bucketOf } from '../policy/decisions.ts'
import { beginDispute, beginRevision } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { requireRevisionLeft } from './policy.ts'
import { ownSubmission } from './read.ts'

export type RejectInput = {
  readonly reason: string
  readonly criteria: readonly string[]
  readonly category?: DisputeReason
}

/** Rejects a submission: the task is disputed and the dispute record opens (decision 0011). No money moves. */
export async function reject(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
  input: RejectInput,
): Promise<{ readonly submission: Submission; readonly task: Task; readonly dispute: Dispute }> {
  const { submission, task } = await ownSubmission(deps, caller, submissionId)
  if (task.policy?.criteriaRequired === true && input.criteria.length === 0)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'criteria',
      constraint: 'at least one: the policy of this task asks for a criterion with each rejection',
      received: '0',
    })
  const now = deps.clock.now()
  const dispute: Dispute = {
    id: deps.ids.next(),
    taskId: task.id,
    submissionId,
    status: 'open',
    openedBy: 'publisher',
    reason: input.category ?? 'incomplete_work',
    description: input.reason,
    criteria: input.criteria,
    resolution: null,
    resolvedAt: null,
    createdAt: now,
  }
  await deps.store.transaction(async (tx) => {
    const current = await lockReviewable(tx, task, submission, 'reject')
    await tx.decideSubmission(submissionId, { status: 'rejected', at: now, reason: input.reason })
    await tx.countDecision(task.publisherWallet, 'rejected', tookOf(submission, now))
    await tx.moveTask(task.id, 'disputed', now)
    await tx.insertDispute(dispute)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'submission.rejected',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, submission_id: submissionId, reason: input.reason },
    })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'dispute.opened',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, submission_id: submissionId, dispute_id: dispute.id },
    })
    await beginDispute({ deps, tx, task: current, now })
  })
  return {
    submission: { ...submission, status: 'rejected', rejectionReason: input.reason, decidedAt: now },
    task: { ...task, status: 'disputed', updatedAt: now },
    dispute,
  }
}

/** Asks for another submission; the task is in progress until it comes (decision 0011). */
export async function requestChanges(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
  reason: string,
): Promise<{ readonly submission: Submission; readonly task: Task }> {
  const { submission, task } = await ownSubmission(deps, caller, submissionId)
  const now = deps.clock.now()
  if (task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
  await requireRevisionLeft(deps, task, submission)
  await deps.store.transaction(async (tx) => {
    const current = await lockReviewable(tx, task, submission, 'requestChanges')
    await tx.decideSubmission(submissionId, { status: 'rejected', at: now, reason })
    await tx.countDecision(task.publisherWallet, 'changes', tookOf(submission, now))
    await tx.moveTask(task.id, 'in_progress', now)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'submission.revision_requested',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, submission_id: submissionId, reason },
    })
    await beginRevision({ deps, tx, task: current, now })
  })
  return {
    submission: { ...submission, status: 'rejected', rejectionReason: reason, decidedAt: now },
    task: { ...task, status: 'in_progress', updatedAt: now },
  }
}

/** The task as it is under its lock. @throws SUBMISSION_NOT_FOUND, APPROVAL_IN_FLIGHT, SUBMISSION_NOT_REVIEWABLE */
export async function lockReviewable(tx: Tx, task: Task, submission: Submission, move: Move): Promise<Task> {
  const current = await tx.lockTask(task.id)
  const pending = await tx.lockSubmission(submission.id)
  if (current === null || pending === null)
    throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id: submission.id })
  if (await tx.hasOpenSettlement(task.id)) throw new MarketError('APPROVAL_IN_FLIGHT', { submission_id: submission.id })
  if (pending.status !== 'pending_review' || !canMove(current.status, move)) {
    throw new MarketError('SUBMISSION_NOT_REVIEWABLE', {
      submission_id: submission.id,
      status: pending.status,
      task_status: current.status,
    })
  }
  return current
}

const tookOf = ({ submittedAt }: Submission, now: Date): number => bucketOf(now.getTime() - submittedAt.getTime())
