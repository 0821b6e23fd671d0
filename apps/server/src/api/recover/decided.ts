import type { Operations } from '@ergon/contract'
import { splitFee, type WalletCaller } from '@ergon/core'
import { done, type AnswerOf } from '../../dispatch/handlers.ts'
import { answerApproval } from '../present/payment.ts'
import { presentRejection } from '../present/work.ts'
import type { Created, RecoveryDeps } from './recoveries.ts'

/** A decision to pay, answered by where the money is. */
export async function approved(
  { market }: RecoveryDeps,
  caller: WalletCaller,
  submissionId: string,
  score: number | undefined,
): Promise<AnswerOf<Operations['submissions.approve']> | null> {
  const { taskId } = await market.readSubmission(caller, submissionId)
  const payment = await market.payment(caller, taskId)
  // Read again, and last: a payment that was confirmed in between is an approval, not one that never began.
  const submission = await market.readSubmission(caller, submissionId)
  const isUnderWay = submission.status !== 'approved' && payment.status === 'releasing'
  if (!isUnderWay && submission.status !== 'approved') return null
  const isRated = (await market.ratingGiven(caller, taskId, 'publisher_rates_executor')) !== null
  const rating = score === undefined ? null : isUnderWay || isRated ? 'on_its_way' : 'not_written'
  return answerApproval({
    state: isUnderWay ? 'approving' : 'approved',
    taskId,
    submissionId,
    paymentTx: submission.paymentTx,
    feeTx: payment.feeTx,
    ...splitFee(payment.amount),
    mode: payment.mode,
    rating,
  })
}

/** A rejection, answered by the dispute that it opened. */
export async function rejected(
  { market }: RecoveryDeps,
  caller: WalletCaller,
  { decided, dispute }: Created,
): Promise<AnswerOf<Operations['submissions.reject']> | null> {
  if (decided === undefined || dispute === undefined) return null
  const record = await market.readDispute(caller, dispute)
  const task = await market.readTask(caller, record.taskId)
  return done(presentRejection({ id: decided }, task, record))
}
