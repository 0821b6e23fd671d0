import type { Amount, Split } from '../money/amount.ts'
import type { Landed } from '../ports/rail.ts'
import type { TaskChanges } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { bucketOf } from '../policy/decisions.ts'
import { canMove, type Move } from '../tasks/lifecycle.ts'
import { closeConceded, type Place } from './close-dispute.ts'
import { rateWithApproval } from './rate-with-approval.ts'
import { paid, wire } from './scene.ts'

export type Completion = {
  readonly settlement: Pick<Settlement, 'submissionId' | 'executorId' | 'rating'>
  readonly move: Move
  readonly landed: Pick<Landed, 'txHash' | 'blockNumber'>
  readonly escrowStatus: NonNullable<TaskChanges['escrowStatus']>
  /** All that was paid out, where that is not the bounty. */
  readonly captured?: bigint
  /** What this very transaction paid; null when the news of it was told as it was booked. */
  readonly released: Split | null
  readonly gross: Amount
  /** Who decided: the publisher, or its silence; absent where another did. */
  readonly decidedBy?: 'publisher' | 'silence'
}

/** The worker is paid: the submission is approved, the task completed, and everybody is told. */
export async function completeTask(place: Place, completion: Completion): Promise<void> {
  const { deps, tx, task, now } = place
  const { settlement, landed, move, escrowStatus, captured, released, gross } = completion
  const { submissionId, executorId, rating } = settlement
  if (submissionId === null || executorId === null) return
  const changes = {
    escrowStatus,
    paymentTx: landed.txHash,
    paymentBlock: landed.blockNumber,
    ...(captured === undefined ? {} : { captured }),
  }
  if (canMove(task.status, move)) await tx.moveTask(task.id, 'completed', now, changes)
  else await tx.changeTask(task.id, changes, now)
  await tx.decideSubmission(submissionId, { status: 'approved', at: now, paymentTx: landed.txHash })
  await tx.countCompleted(executorId)
  await countDecision(place, submissionId, completion.decidedBy)
  if (move === 'approve') await closeConceded(place, submissionId)
  if (rating !== null) await rateWithApproval(deps, tx, { ...task, paymentTx: landed.txHash }, executorId, rating, now)
  const payment = paid(gross, landed)
  const about = (): { readonly id: string; readonly taskId: string; readonly at: Date } => ({
    id: deps.ids.next(),
    taskId: task.id,
    at: now,
  })
  await tx.addEvent({
    ...about(),
    type: 'submission.approved',
    data: { task_id: task.id, submission_id: submissionId, payment_tx: landed.txHash },
  })
  if (released !== null)
    await tx.addEvent({
      ...about(),
      type: 'payment.released',
      data: { task_id: task.id, worker_amount: wire(released.payout), platform_fee: wire(released.fee), payment },
    })
  await tx.addEvent({
    ...about(),
    type: 'task.completed',
    data: { task_id: task.id, executor_id: executorId, bounty_usd: wire(gross), payment },
  })
}

/** The time counts from handing in to the payment, which follows the approval in seconds. */
async function countDecision(
  { tx, task, now }: Place,
  submissionId: string,
  by: Completion['decidedBy'],
): Promise<void> {
  if (by === undefined) return
  const submission = await tx.lockSubmission(submissionId)
  if (submission === null) return
  const bucket = by === 'silence' ? null : bucketOf(now.getTime() - submission.submittedAt.getTime())
  await tx.countDecision(task.publisherWallet, by === 'silence' ? 'silent' : 'approved', bucket)
}
