import type { Channel, Closing } from '../channels/channel.ts'
import { payoutOf } from '../channels/payout.ts'
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
 * @throws no_channel_bound without a channel, PAYOUT_NON_POSITIVE where no work was accepted
 */
export async function approveMetered(deps: MarketDeps, submission: Submission, said: Said): Promise<MeteredApproval> {
  wired(deps)
  const claimed = await deps.store.transaction((tx) => claim(deps, tx, submission, said))
  const { channel } = await endNow(deps, claimed)
  const txHash = endOf(channel)?.txHash ?? null
  return {
    ...{ state: txHash === null ? 'approving' : 'approved', taskId: channel.taskId, submissionId: submission.id },
    ...{ paymentTx: txHash, feeTx: txHash, ...sharesOf(channel) },
  }
}

type Shares = Pick<MeteredApproval, 'gross' | 'payout' | 'fee'>

/**
 * What an approval of metered work pays: what was accepted, and no bounty. Reads only.
 *
 * @throws no_channel_bound, PAYOUT_NON_POSITIVE as the approval does
 */
export async function meteredShares({ store }: MarketDeps, taskId: string): Promise<Shares> {
  return sharesOf(requirePayable(await store.channelOf(taskId), taskId))
}

const endOf = ({ end, paid }: Channel): Channel['end'] => end ?? paid

function sharesOf(channel: Channel): Shares {
  const settled = endOf(channel)?.settled ?? channel.cumulative
  const amount = (atomic: bigint): Amount => ({ atomic, asset: channel.asset })
  const { worker, fee } = payoutOf({ settled, deposit: channel.deposit })
  return { gross: amount(settled), payout: amount(worker), fee: amount(fee) }
}

function requirePayable(channel: Channel | null, taskId: string): Channel {
  if (channel === null)
    throw new MarketError(
      'no_channel_bound',
      { task_id: taskId },
      {
        message: 'No channel funds this task, so nothing can be paid: ask for changes and fund it, or reject the work.',
      },
    )
  if (sharesOf(channel).gross.atomic === 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: taskId })
  return channel
}

async function claim(deps: MarketDeps, tx: Tx, { id, taskId }: Submission, said: Said): Promise<Channel> {
  const now = deps.clock.now()
  const task = await tx.lockTask(taskId)
  const pending = await tx.lockSubmission(id)
  if (task === null || pending === null) throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id: id })
  if (await tx.hasOpenSettlement(taskId)) throw inFlight(pending)
  requirePending(task, pending)
  const channel = requirePayable(await tx.lockChannel(taskId), taskId)
  const end = endOf(channel)
  const { executorId } = channel
  const text = writtenWords(said.feedback)
  await tx.putTaskWords(taskId, { kind: 'approve', author: task.publisherWallet, executorId, text, at: now })
  const about = { submissionId: id, rating: said.rating }
  if (end === null) return close(deps, tx, channel, { reason: 'approve', ...about })
  await completeMetered({ deps, tx, task, channel, end, payout: null, now }, about)
  return channel
}
