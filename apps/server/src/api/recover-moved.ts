import type { Operations } from '@ergon/contract'
import { splitFee, type TaskView, type WalletCaller } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentDisputeRecord } from './present/dispute.ts'
import { presentApproval, presentFee } from './present/payment.ts'
import type { Recoveries } from './recover.ts'

type RecoveryDeps = Pick<ApiDeps, 'market' | 'paymentMode'>
type Recovered =
  | 'tasks.assign'
  | 'tasks.approve'
  | 'submissions.approve'
  | 'tasks.cancel'
  | 'escrow.refund'
  | 'tasks.withdraw'
  | 'disputes.resolve'
  | 'payments.payFee'

/** What moves money is answered by where the money is: a second run would be refused because of the first. */
export function recoverMoved(deps: RecoveryDeps): Required<Pick<Recoveries, Recovered>> {
  const { market } = deps
  return {
    'tasks.assign': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      const isUnderWay = task.status === 'assigning'
      if (!isUnderWay && task.executorId !== input.executor_id) return null
      const worker = await market.readWorker(input.executor_id)
      const body = {
        task_id: task.id,
        executor_id: worker.id,
        status: isUnderWay ? ('assigning' as const) : ('accepted' as const),
        worker_wallet: worker.wallet,
        escrow_tx: task.escrowTx,
        escrow_status: task.escrowStatus,
      }
      return isUnderWay ? inFlight(body) : done(body)
    },
    'tasks.approve': async ({ caller }, input) => approved(deps, caller, await market.currentSubmission(input.task_id)),
    'submissions.approve': ({ caller }, input) => approved(deps, caller, input.submission_id),
    'tasks.cancel': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      const body = { id: task.id, status: task.status, refund_tx: task.refundTx }
      if (task.escrowStatus === 'refunding') return inFlight(body)
      return task.status === 'cancelled' ? done(body) : null
    },
    'escrow.refund': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      const body = { task_id: task.id, status: task.status, refund_tx: task.refundTx }
      if (task.escrowStatus === 'refunding') return inFlight(body)
      return task.escrowStatus === 'refunded' ? done(body) : null
    },
    'tasks.withdraw': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      if (task.escrowStatus === 'refunding') return inFlight(withdrawal(task, 'withdrawing'))
      // The handler is for whoever works on the task; a worker who stepped down is nobody to it.
      return task.executorId === null ? done(withdrawal(task, 'withdrawn')) : null
    },
    'payments.payFee': async ({ caller }, input) => {
      const paid = await market.feePaid(caller, input.task_id)
      if (paid === null) return null
      return paid.state === 'paid' ? done(presentFee(paid)) : inFlight(presentFee(paid))
    },
    'disputes.resolve': async (_call, input) => {
      const dispute = await market.readDispute({ kind: 'admin' }, input.dispute_id) // nobody else may resolve
      if (dispute.status === 'resolving') return inFlight(presentDisputeRecord(dispute))
      return dispute.status === 'resolved' ? done(presentDisputeRecord(dispute)) : null
    },
  }
}

function withdrawal(task: TaskView, state: 'withdrawn' | 'withdrawing') {
  return { task_id: task.id, status: task.status, state, refund_tx: task.refundTx }
}

async function approved(
  { market, paymentMode: mode }: RecoveryDeps,
  caller: WalletCaller,
  submissionId: string,
): Promise<AnswerOf<Operations['submissions.approve']> | null> {
  const { taskId } = await market.readSubmission(caller, submissionId)
  const payment = await market.payment(caller, taskId)
  // Read again, and last: a payment that was confirmed in between is an approval, not one that never began.
  const submission = await market.readSubmission(caller, submissionId)
  const isUnderWay = submission.status === 'pending_review' && payment.status === 'releasing'
  if (!isUnderWay && submission.status !== 'approved') return null
  const body = presentApproval({
    state: isUnderWay ? 'approving' : 'approved',
    taskId,
    submissionId,
    paymentTx: submission.paymentTx,
    feeTx: payment.feeTx,
    ...splitFee(payment.amount),
    mode,
  })
  return isUnderWay ? inFlight(body) : done(body)
}
