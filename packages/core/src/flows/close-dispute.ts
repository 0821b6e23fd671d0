import type { Dispute } from '../disputes/dispute.ts'
import type { Tx } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { MarketDeps } from './deps.ts'

/** A locked task inside a transaction. */
export type Place = { readonly deps: MarketDeps; readonly tx: Tx; readonly task: Task; readonly now: Date }

/** The resolution is carried out: the dispute is over. */
export async function closeDispute(place: Place, submissionId: string | null): Promise<void> {
  const dispute = submissionId === null ? null : await place.tx.lockDisputeOf(submissionId)
  if (dispute === null || dispute.resolution === null || dispute.status !== 'resolving') return
  await endDispute(place, dispute, dispute.resolution)
}

/** Ends a dispute as it was decided, and tells so. */
export async function endDispute(
  { deps, tx, task, now }: Place,
  dispute: Pick<Dispute, 'id' | 'submissionId'>,
  resolution: NonNullable<Dispute['resolution']>,
): Promise<void> {
  await tx.changeDispute(dispute.id, { status: 'resolved', resolution, resolvedAt: now })
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'dispute.resolved',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      submission_id: dispute.submissionId,
      dispute_id: dispute.id,
      verdict: resolution.verdict,
    },
  })
}

/** The publisher paid after all, or paid what was decided where nothing was held (decision 0167). */
export async function closeConceded(place: Place, submissionId: string): Promise<void> {
  const { tx, task, now } = place
  if (task.status !== 'disputed') return
  const dispute = await tx.lockDisputeOf(submissionId)
  if (dispute?.status === 'open') {
    const resolution = { verdict: 'release', splitPct: null, reason: 'The publisher approved the work.' } as const
    await tx.changeDispute(dispute.id, { status: 'resolving', resolution, resolvedAt: null })
  }
  await tx.changeTask(task.id, { turn: null }, now)
  await closeDispute(place, submissionId)
}

/** A resolution that could not be paid is taken back; the dispute waits for another. */
export async function reopenDispute({ tx }: Pick<Place, 'tx'>, submissionId: string | null): Promise<void> {
  const dispute = submissionId === null ? null : await tx.lockDisputeOf(submissionId)
  if (dispute?.status === 'resolving')
    await tx.changeDispute(dispute.id, { status: 'open', resolution: null, resolvedAt: null })
}

/** Decided for the payer, who has the money: the submission is rejected and the task cancelled (decision 0046). */
export async function cancelDisputed(
  place: Place,
  submissionId: string | null,
  refundTx: string | null,
): Promise<void> {
  const { deps, tx, task, now } = place
  const submission = submissionId === null ? null : await tx.lockSubmission(submissionId)
  const dispute = submissionId === null ? null : await tx.lockDisputeOf(submissionId)
  if (submission?.status === 'pending_review')
    await tx.decideSubmission(submission.id, { status: 'rejected', at: now, reason: dispute?.resolution?.reason ?? '' })
  const changes = refundTx === null ? {} : ({ escrowStatus: 'refunded', refundTx } as const)
  if (canMove(task.status, 'resolveRefund')) await tx.moveTask(task.id, 'cancelled', now, changes)
  else await tx.changeTask(task.id, changes, now)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.cancelled',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, refund_tx: refundTx },
  })
  await closeDispute(place, submissionId)
}
