import type { InputOf, Operations, OutputOf } from '@ergon/contract'
import type { Task } from '@ergon/core'

type Verdict = OutputOf<Operations['h2a.approve']>
type Paid = Pick<
  OutputOf<Operations['submissions.approve']>,
  'submission_id' | 'status' | 'payment_tx' | 'fee_tx' | 'rating_status'
>
type NotPaid = Pick<Verdict, 'submission_id' | 'dispute_id'> & { readonly status: 'rejected' | 'needs_revision' }
type Decision = Pick<InputOf<Operations['h2a.approve']>, 'task_id'> & { readonly notes?: string }

/** What a person's decision about a submission answers, whether it paid or not. */
export function presentVerdict(
  { task_id, notes }: Decision,
  task: Pick<Task, 'status'>,
  outcome: Paid | NotPaid,
): Verdict {
  return {
    task_id,
    submission_id: outcome.submission_id,
    status: outcome.status,
    task_status: task.status,
    worker_tx: 'payment_tx' in outcome ? outcome.payment_tx : null,
    fee_tx: 'fee_tx' in outcome ? outcome.fee_tx : null,
    dispute_id: 'dispute_id' in outcome ? outcome.dispute_id : null,
    notes: notes ?? null,
    rating_status: 'rating_status' in outcome ? (outcome.rating_status ?? null) : null,
  }
}
