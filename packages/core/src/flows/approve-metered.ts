import type { Channel, Closing } from '../channels/channel.ts'
import { payoutOf, settledOf } from '../channels/payout.ts'
import { MarketError } from '../errors.ts'
import type { Amount } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { Submission } from '../submissions/submission.ts'
import { writtenWords } from '../tasks/task-words.ts'
import { wired } from './bind-channel.ts'
import { close, endNow } from './close-channel.ts'
import { completeMetered } from './confirm-channel.ts'
import type { MarketDeps } from './deps.ts'
import { inFlight, requirePending } from './reviewable.ts'

type MeteredApproval = {
  readonly state: 'approved' | 'approving'
  readonly taskId: string
  readonly submissionId: string
  readonly paymentTx: string | null
  readonly feeTx: string | null
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
}
type Said = { readonly rating: Closing['rating']; readonly feedback: string | null }

/**
 * Approving metered work closes its channel; the task is completed when the ledger shows that the worker is paid. Where
 * the channel was closed before, what was paid then is what the approval is for.
 *
 * @throws ESCROW_STATE_MISSING without a channel, PAYOUT_NON_POSITIVE where no work was accepted
 */
export async function approveMetered(deps: MarketDeps, submission: Submission, said: Said): Promise<MeteredApproval> {
  wired(deps)
  const claimed = await deps.store.transaction((tx) => claim(deps, tx, submission, said))
  const { channel } = await endNow(deps, claimed)
  const { txHash = null, settled = channel.cumulative } = channel.end ?? channel.paid ?? {}
  const amount = (atomic: bigint): Amount => ({ atomic, asset: channel.asset })
  const { worker, fee } = payoutOf({ settled, deposit: channel.deposit })
  return {
    ...{ state: txHash === null ? 'approving' : 'approved', taskId: channel.taskId, submissionId: submission.id },
    ...{ paymentTx: txHash, feeTx: txHash, gross: amount(settled), payout: amount(worker), fee: amount(fee) },
  }
}

async function claim(deps: MarketDeps, tx: Tx, { id, taskId }: Submission, said: Said): Promise<Channel> {
  const now = deps.clock.now()
  const task = await tx.lockTask(taskId)
  const pending = await tx.lockSubmission(id)
  if (task === null || pending === null) throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id: id })
  if (await tx.hasOpenSettlement(taskId)) throw inFlight(pending)
  requirePending(task, pending)
  const channel = await tx.lockChannel(taskId)
  if (channel === null) throw new MarketError('ESCROW_STATE_MISSING', { task_id: taskId })
  const end = channel.end ?? channel.paid
  if (settledOf(channel) === 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: taskId })
  const { executorId } = channel
  const text = writtenWords(said.feedback)
  await tx.putTaskWords(taskId, { kind: 'approve', author: task.publisherWallet, executorId, text, at: now })
  const about = { submissionId: id, rating: said.rating }
  if (end === null) return close(deps, tx, channel, { reason: 'approve', ...about })
  await completeMetered({ deps, tx, task, channel, end, payout: null, now }, about)
  return channel
}
