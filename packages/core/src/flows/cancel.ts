import type { TaskStatus } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import type { Channel } from '../channels/channel.ts'
import { MarketError } from '../errors.ts'
import { placeOf } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { escrowAccount } from '../ledger/journal.ts'
import type { Amount } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { VoidOrder } from '../settlements/order.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import { writtenWords } from '../tasks/task-words.ts'
import type { Task } from '../tasks/task.ts'
import { close, endNow, type ChannelClosing } from './close-channel.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, ownTask } from './read.ts'
import { attempt, type Ending } from './settle.ts'
import { tellUnchosen } from './tell-unchosen.ts'

/** `cancelling`: the refund is in flight and the reconciler finishes it. */
export type Cancellation = {
  readonly state: 'cancelled' | 'cancelling'
  readonly taskId: string
  readonly status: TaskStatus
  readonly refundTx: string | null
}
export type Reclaim = {
  readonly taskId: string
  readonly chainId: number
  readonly escrow: string
  readonly calldata: string
  readonly payer: string
  readonly amount: Amount
  readonly eligibleAt: Date
  readonly eligible: boolean
}

/**
 * Cancels: at once while nothing is held; otherwise the money goes back first and the task is cancelled when it has.
 * Whoever applied reads the reason with the task; its event is public and does not carry it (decision 0105).
 */
export async function cancel(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  reason: string | null,
): Promise<Cancellation> {
  const task = await ownTask(deps, caller, taskId)
  const now = deps.clock.now()
  const begun = await deps.store.transaction(async (tx): Promise<Begun> => {
    const current = await lockCancellable(tx, task.id)
    const words = {
      kind: 'cancel',
      author: caller.wallet,
      executorId: null,
      text: writtenWords(reason),
      at: now,
    } as const
    await tx.putTaskWords(taskId, words)
    if (current.escrowStatus === 'authorized') return { settlement: await claimRefund(deps, tx, current, false, now) }
    const channel = current.escrowStatus === 'none' ? await tx.lockChannel(taskId) : null
    if (channel?.status === 'open') return { channel: await close(deps, tx, channel, { reason: 'cancel' }) }
    const refundTx = channel?.end?.txHash ?? null
    if (current.executorId === null) await tellUnchosen({ deps, tx, task: current, now }, 'task_ended')
    await tx.moveTask(taskId, 'cancelled', now, { refundTx })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'task.cancelled',
      taskId,
      at: now,
      data: { task_id: taskId, refund_tx: refundTx },
    })
    return { refundTx }
  })
  if ('settlement' in begun) return refundOutcome(deps, taskId, await attempt(deps, begun.settlement))
  if ('channel' in begun) return closingOutcome(deps, taskId, await endNow(deps, begun.channel))
  return { state: 'cancelled', taskId, status: 'cancelled', refundTx: begun.refundTx }
}

/** What a cancellation has to wait for: the refund of an escrow, the end of a channel, or nothing. */
type Begun = { readonly settlement: Settlement } | { readonly channel: Channel } | { readonly refundTx: string | null }

async function closingOutcome(deps: MarketDeps, taskId: string, { state }: ChannelClosing): Promise<Cancellation> {
  const { status, refundTx } = await existingTask(deps, taskId)
  return { state: state === 'settled' ? 'cancelled' : 'cancelling', taskId, status, refundTx }
}

async function lockCancellable(tx: Tx, taskId: string): Promise<Task> {
  const current = await tx.lockTask(taskId)
  if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  if (current.status === 'assigning') throw new MarketError('ESCROW_NOT_ASSIGNABLE', { task_id: taskId })
  if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: taskId })
  if (!canMove(current.status, 'cancel'))
    throw new MarketError('TASK_NOT_CANCELLABLE', { task_id: taskId, status: current.status })
  return current
}

/** Writes the claim of a refund; capture and refund of one payment exclude each other by their subject. */
export async function claimRefund(
  deps: MarketDeps,
  tx: Tx,
  task: Task,
  mustLand: boolean,
  now: Date,
): Promise<Settlement> {
  const payment = await tx.escrowPayment(task.id)
  if (payment === null) throw new MarketError('ESCROW_STATE_MISSING', { task_id: task.id })
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId: task.id,
    executorId: task.executorId,
    purpose: 'refund',
    subject: payment.hash,
    order: await voidOf(tx, payment, id, now),
    mustLand,
  })
  if (!(await tx.claimSettlement(settlement, leaseEnd(now))))
    throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: task.id })
  await tx.changeTask(task.id, { escrowStatus: 'refunding' }, now)
  return settlement
}

/** Gives back all that a payment holds by the books; what the chain holds may be less, and is settled then. */
export async function voidOf(tx: Tx, payment: Payment, id: string, now: Date): Promise<VoidOrder> {
  const held = await tx.ledgerBalance(payment.asset, escrowAccount(payment.hash))
  const last = held === payment.maxAmount ? undefined : (await tx.movements(payment.network, payment.hash)).at(-1)
  const after = last === undefined ? {} : { after: placeOf(last) }
  return {
    kind: 'void',
    key: `void:${payment.hash}:${id}`,
    payment,
    amount: { atomic: held > 0n ? held : payment.maxAmount, asset: payment.asset },
    issuedAt: Math.floor(now.getTime() / 1_000),
    ...after,
  }
}

async function refundOutcome(deps: MarketDeps, taskId: string, ending: Ending): Promise<Cancellation> {
  if (ending.state === 'refused') {
    const { code, details } = ending.refusal
    throw new MarketError('REFUND_FAILED', { ...details, cause: code, task_id: taskId })
  }
  if (ending.state === 'open') deps.wakeup.settlements()
  const task = await existingTask(deps, taskId)
  return {
    state: ending.state === 'open' ? 'cancelling' : 'cancelled',
    taskId,
    status: task.status,
    refundTx: task.refundTx,
  }
}

/** The payer asks for money that a task which is over still holds (spec §4 manual refund). */
export async function refundEscrow(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<Cancellation> {
  await ownTask(deps, caller, taskId)
  if ((await deps.store.escrowPayment(taskId)) === null) throw new MarketError('ESCROW_NOT_FOUND', { task_id: taskId })
  const now = deps.clock.now()
  const settlement = await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: taskId })
    if (current.escrowStatus !== 'authorized' || !isFinal(current.status)) throw notRefundable(current)
    return claimRefund(deps, tx, current, true, now)
  })
  return refundOutcome(deps, taskId, await attempt(deps, settlement))
}

const notOver = 'The escrow holds the bounty for a task that is not over. Cancel the task, or wait for its end.'

function notRefundable({ id, status, escrowStatus }: Task): MarketError {
  return new MarketError(
    'ESCROW_NOT_REFUNDABLE',
    { task_id: id, escrow_status: escrowStatus, status },
    escrowStatus === 'authorized' && !isFinal(status) ? { message: notOver } : {},
  )
}

/** The call with which the payer takes funds back after the authorization window closed. The service never sends it. */
export async function reclaim(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<Reclaim> {
  const task = await ownTask(deps, caller, taskId)
  const payment = await deps.store.escrowPayment(taskId)
  if (payment === null) throw new MarketError('ESCROW_NOT_FOUND', { task_id: taskId })
  const { capturable } = await deps.rails(payment.network).escrowState(payment)
  if (capturable === 0n) throw notRefundable(task)
  const eligibleAt = new Date(payment.authorizationExpiry * 1_000)
  return {
    taskId,
    ...deps.signatures.reclaimCall(payment),
    payer: payment.payer,
    amount: { atomic: capturable, asset: payment.asset },
    eligibleAt,
    eligible: deps.clock.now() >= eligibleAt,
  }
}
