import type { TaskStatus } from '@ergon/contract'
import type { Application } from '../applications/application.ts'
import type { WalletCaller } from '../caller.ts'
import { isStream } from '../channels/stream.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { Tx } from '../ports/store.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { writtenWords } from '../tasks/task-words.ts'
import type { Task } from '../tasks/task.ts'
import { voidOf } from './cancel.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask } from './read.ts'
import { attempt } from './settle.ts'
import { openAgain } from './step-down.ts'

/** `withdrawing`: the refund is in flight and the reconciler finishes it. */
export type Withdrawal = {
  readonly state: 'withdrawn' | 'withdrawing'
  readonly taskId: string
  readonly status: TaskStatus
  readonly refundTx: string | null
}

/**
 * An applicant takes its application back, as long as it waits. The worker steps down: what is held goes back to the
 * payer first, and the task is open again when it has (decision 0046).
 */
export async function withdraw(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  reason: string | null,
): Promise<Withdrawal> {
  const task = await existingTask(deps, taskId)
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null) throw new MarketError('FORBIDDEN', { task_id: taskId })
  const now = deps.clock.now()
  if (task.executorId !== worker.id) return takeBack(deps, taskId, worker, reason, now)
  const settlement = await deps.store.transaction(async (tx) => {
    const current = await lockWithdrawable(tx, taskId, worker.id)
    const author = caller.wallet
    const text = writtenWords(reason)
    await tx.putTaskWords(taskId, { kind: 'withdraw', author, executorId: worker.id, text, at: now })
    if (current.escrowStatus === 'authorized') return claimStepDown(deps, tx, current, now)
    await openAgain({ deps, tx, task: current, now }, worker.id, null)
    return null
  })
  if (settlement === null) return { state: 'withdrawn', taskId, status: 'published', refundTx: null }
  const ending = await attempt(deps, settlement)
  if (ending.state === 'refused')
    throw new MarketError('REFUND_FAILED', { ...ending.refusal.details, cause: ending.refusal.code, task_id: taskId })
  if (ending.state === 'open') deps.wakeup.settlements()
  const { status } = await existingTask(deps, taskId)
  return ending.state === 'open'
    ? { state: 'withdrawing', taskId, status, refundTx: null }
    : { state: 'withdrawn', taskId, status, refundTx: ending.txHash }
}

/** While a lock is in flight the applicant may be the one it is for, so nothing is taken back then. */
async function takeBack(
  deps: MarketDeps,
  taskId: string,
  { id: executorId, wallet: author }: WorkerView,
  reason: string | null,
  now: Date,
): Promise<Withdrawal> {
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    const application = await tx.application(taskId, executorId)
    if (application === null) throw new MarketError('FORBIDDEN', { task_id: taskId })
    if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: taskId })
    if (application.status !== 'pending' && application.status !== 'withdrawn')
      throw new MarketError('TASK_NOT_WITHDRAWABLE', { task_id: taskId, status: current.status })
    await tx.withdrawApplication(taskId, executorId)
    const text = writtenWords(reason)
    if (text !== null) await tx.putTaskWords(taskId, { kind: 'withdraw', author, executorId, text, at: now })
    // Said once: whoever takes back what is taken back changes nothing.
    if (application.status === 'pending') await tellTakenBack({ deps, tx, task: current, now }, application, text)
    return { state: 'withdrawn', taskId, status: current.status, refundTx: null }
  })
}

async function tellTakenBack(
  { deps, tx, task, now }: Place,
  { id, executorId }: Application,
  text: string | null,
): Promise<void> {
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'worker.application_withdrawn',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      application_id: id,
      executor_id: executorId,
      ...(text === null ? {} : { reason: text }),
    },
  })
}

const stopIt = 'A session is stopped instead: what was accepted is paid.'
const closeIt =
  'A channel pays for this task: close it, and what was accepted is paid. Its publisher then ends the task.'

async function lockWithdrawable(tx: Tx, taskId: string, executorId: string): Promise<Task> {
  const current = await tx.lockTask(taskId)
  if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  if (current.executorId !== executorId) throw new MarketError('FORBIDDEN', { task_id: taskId })
  if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: taskId })
  const at = { task_id: taskId, status: current.status }
  // A session is between two: whoever leaves stops it.
  if (isStream(current)) throw new MarketError('TASK_NOT_WITHDRAWABLE', at, { message: stopIt })
  if (!canMove(current.status, 'withdraw')) throw new MarketError('TASK_NOT_WITHDRAWABLE', at)
  // A channel pays this worker and no other: whoever leaves closes it, and the publisher ends the task.
  if (current.escrowStatus === 'none' && (await tx.lockChannel(taskId)) !== null)
    throw new MarketError('TASK_NOT_WITHDRAWABLE', { ...at, has_channel: true }, { message: closeIt })
  return current
}

/** What is held goes back to the payer before anything else happens (decision 0046). */
export async function claimStepDown(deps: MarketDeps, tx: Tx, task: Task, now: Date): Promise<Settlement> {
  const payment = await tx.escrowPayment(task.id)
  if (payment === null) throw new MarketError('ESCROW_STATE_MISSING', { task_id: task.id })
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId: task.id,
    executorId: task.executorId,
    purpose: 'stepdown',
    subject: payment.hash,
    order: await voidOf(tx, payment, id, now),
  })
  if (!(await tx.claimSettlement(settlement, leaseEnd(now))))
    throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: task.id })
  await tx.changeTask(task.id, { escrowStatus: 'refunding' }, now)
  return settlement
}
