import type { Channel, Closing } from '../channels/channel.ts'
import type { ChannelOrder } from '../channels/order.ts'
import { payoutOf } from '../channels/payout.ts'
import { isStream } from '../channels/stream.ts'
import { channelEndedJournal, channelFundedJournal, type ChannelPayout } from '../ledger/journal.ts'
import type { Amount } from '../money/amount.ts'
import type { LedgerEnd } from '../ports/channel-ledger.ts'
import type { Tx } from '../ports/store.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { completeTask } from './complete.ts'
import type { MarketDeps } from './deps.ts'
import { paid, wire } from './scene.ts'

type Ending = {
  readonly deps: MarketDeps
  readonly tx: Tx
  readonly task: Task
  readonly channel: Channel
  readonly end: LedgerEnd
  readonly payout: ChannelPayout
  readonly now: Date
}
/** `payout` null: it was told when it was booked. */
type Completing = Omit<Ending, 'end' | 'payout'> & {
  readonly end: Pick<LedgerEnd, 'settled' | 'txHash' | 'slot'>
  readonly payout: ChannelPayout | null
}

/**
 * Writes down, in one transaction, what the ledger shows of a channel's end: the channel, the books, the audit log, the
 * task and the events together. Doing it again changes nothing.
 */
export async function confirmChannel(
  deps: MarketDeps,
  { taskId }: Channel,
  end: LedgerEnd,
  order: ChannelOrder | null,
): Promise<void> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const channel = await tx.lockChannel(taskId)
    if (order !== null) await tx.endOrder(order.id, 'landed', now)
    if (task === null || channel?.status !== 'closing') return
    const ending = { deps, tx, task, channel, end, payout: lessPaid(payoutOf(end), channel.paid), now }
    const { settled, txHash, slot } = end
    await tx.settleChannel(channel.id, end.deposit, { settled, txHash, slot, at: now }, now)
    await book(ending)
    await note(ending)
    if (channel.paid === null) return carryTask(ending, channel.closing)
    if (channel.closing?.reason === 'cancel') await cancelMetered(ending)
  })
}

/**
 * Writes down that the shares are paid while the rest waits for its payer's account: whoever worked has its pay, and
 * what follows from it waits for nobody.
 */
export async function confirmPay(
  deps: MarketDeps,
  { taskId }: Channel,
  end: LedgerEnd,
  order: ChannelOrder,
): Promise<void> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const channel = await tx.lockChannel(taskId)
    await tx.endOrder(order.id, 'landed', now)
    if (task === null || channel?.status !== 'closing') return
    const { settled, txHash, slot } = end
    const payout = lessPaid({ ...payoutOf(end), dust: 0n, refund: 0n }, channel.paid)
    const paying = { deps, tx, task, channel, end: { ...end, deposit: channel.deposit }, payout, now }
    await tx.payChannel(channel.id, { settled, txHash, slot, at: now })
    await book(paying)
    await note(paying)
    if (channel.paid === null) await carryPaid(paying, channel.closing)
  })
}

/** A cancellation waits for the rest, because it is about the rest. */
async function carryPaid(paying: Ending, closing: Closing | null): Promise<void> {
  if (closing?.reason === 'approve') return completeMetered(paying, closing)
  await tellReleased(paying)
  if (isStream(paying.task)) await endStream(paying)
}

/** What is left to pay where the shares of so much were paid before. */
function lessPaid(payout: ChannelPayout, paid: Channel['paid']): ChannelPayout {
  if (paid === null) return payout
  const { worker, fee } = payoutOf({ settled: paid.settled, deposit: paid.settled })
  return { ...payout, worker: payout.worker - worker, fee: payout.fee - fee }
}

/** The deposit as it was in the end, and where all of it went. */
async function book({ deps, tx, task, channel, end, payout, now }: Ending): Promise<void> {
  const { asset } = channel
  const post = async (postings: Parameters<Tx['post']>[0]['postings']): Promise<void> => {
    await tx.post({ id: deps.ids.next(), taskId: task.id, asset, at: now, postings })
  }
  // Its payer may add to a channel past us.
  if (end.deposit > channel.deposit)
    await post(channelFundedJournal(channel.payer, channel.id, end.deposit - channel.deposit))
  await post(channelEndedJournal(channel, payout).filter(({ atomic }) => atomic !== 0n))
}

async function note({ deps, tx, task, channel, end, payout, now }: Ending): Promise<void> {
  const { asset, payer, payee, worker, id } = channel
  const lines = [
    ['settle', end.settled - (channel.paid?.settled ?? 0n), payer, id],
    ['disburse_worker', payout.worker, id, worker],
    ['disburse_fee', payout.fee, id, payee],
    ['refund', payout.refund, id, payer],
  ] as const
  for (const [type, atomic, from, to] of lines) {
    if (atomic === 0n) continue
    const moved = { amount: { atomic, asset }, asset, from, to, txHash: end.txHash, at: now }
    await tx.addPaymentEvent({ id: deps.ids.next(), taskId: task.id, type, status: 'success', ...moved })
  }
}

async function carryTask(ending: Ending, closing: Closing | null): Promise<void> {
  if (closing?.reason === 'approve') return completeMetered(ending, closing)
  await tellReleased(ending)
  if (isStream(ending.task)) return endStream(ending)
  if (closing?.reason === 'cancel') await cancelMetered(ending)
}

/** The approval of work that the ledger has paid. */
export async function completeMetered(
  { deps, tx, task, channel, end, payout, now }: Completing,
  { submissionId, rating }: Pick<Closing, 'submissionId' | 'rating'>,
): Promise<void> {
  const { asset, executorId } = channel
  const amount = (atomic: bigint): Amount => ({ atomic, asset })
  await completeTask(
    { deps, tx, task, now },
    {
      settlement: { submissionId, executorId, rating },
      landed: { txHash: end.txHash, blockNumber: end.slot },
      move: 'approve',
      escrowStatus: 'none',
      captured: end.settled,
      released:
        payout === null ? null : { gross: amount(end.settled), payout: amount(payout.worker), fee: amount(payout.fee) },
      gross: amount(end.settled),
    },
  )
}

/** A session ends with its channel, whoever ended that: paid where time was accepted. */
async function endStream(ending: Ending): Promise<void> {
  const { deps, tx, task, channel, end, now } = ending
  if (end.settled === 0n) return cancelMetered(ending)
  const changes = { paymentTx: end.txHash, paymentBlock: end.slot, captured: end.settled }
  if (!canMove(task.status, 'settlePaid')) return tx.changeTask(task.id, changes, now)
  await tx.moveTask(task.id, 'completed', now, changes)
  await tx.countCompleted(channel.executorId)
  const gross = { atomic: end.settled, asset: channel.asset }
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.completed',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, executor_id: channel.executorId, bounty_usd: wire(gross), payment: paid(gross, end) },
  })
}

async function cancelMetered({ deps, tx, task, end, now }: Ending): Promise<void> {
  if (isFinal(task.status) || !canMove(task.status, 'cancel'))
    return tx.changeTask(task.id, { refundTx: end.txHash }, now)
  await tx.moveTask(task.id, 'cancelled', now, { refundTx: end.txHash })
  const data = { task_id: task.id, refund_tx: end.txHash }
  await tx.addEvent({ id: deps.ids.next(), type: 'task.cancelled', taskId: task.id, at: now, data })
}

async function tellReleased({ deps, tx, task, channel, end, payout, now }: Ending): Promise<void> {
  if (end.settled === 0n) return
  const { asset } = channel
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'payment.released',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      worker_amount: wire({ atomic: payout.worker, asset }),
      platform_fee: wire({ atomic: payout.fee, asset }),
      payment: paid({ atomic: end.settled, asset }, end),
    },
  })
}
