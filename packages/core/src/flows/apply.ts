import type { ApplicationView } from '../applications/application.ts'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import { meetsReputation } from '../reputation/effective-score.ts'
import type { Tx } from '../ports/store.ts'
import { mayTake } from '../tasks/party-gate.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { requireRoom } from './policy.ts'
import { requireOwnOn } from './own-on.ts'
import { existingTask, requireVisible } from './read.ts'
import { maySelfAccept, paymentsOfApproval, takeOn } from './take-on.ts'
import { workerBehind } from './register-worker.ts'

export type ApplyInput = {
  readonly executorId: string | null
  readonly message: string | null
  /** Take the task at once where nothing is locked; elsewhere it is an application like any other. */
  readonly selfAccept?: boolean
}

/**
 * A worker applies, and may assign itself where there is no escrow (spec §1.6). A wallet that never worked here becomes
 * a worker: an agent when it signs, a human over a session.
 */
export async function apply(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: ApplyInput,
): Promise<ApplicationView> {
  const seen = await existingTask(deps, taskId)
  await requireVisible(deps, caller, seen)
  const now = deps.clock.now()
  const worker = await workerBehind(deps, caller, now)
  if (input.executorId !== null && input.executorId !== worker.id)
    throw new MarketError('FORBIDDEN', { executor_id: input.executorId })
  requireOwnOn(deps, caller, seen.bounty.asset.network)
  await requireNotApart(deps, seen.publisherWallet, worker.wallet)
  if (await deps.store.isBanned(seen.publisherWallet))
    throw new MarketError(
      'TASK_NOT_OPEN',
      { task_id: taskId, status: seen.status },
      { message: 'The publisher is banned from the service, so no new work can start.' },
    )
  // Asked again under the lock: nobody is registered for an application that is refused anyway.
  if (caller.owesIdentity === true) requireOpen(seen, worker, now)
  const { agentId } = await deps.identified(caller)
  const application = {
    id: deps.ids.next(),
    taskId,
    executorId: worker.id,
    status: 'pending',
    message: input.message,
    createdAt: now,
  } as const
  const takesOn = input.selfAccept === true && maySelfAccept(seen)
  if (takesOn) await deps.payments?.take(caller, paymentsOfApproval)
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    const earlier = await tx.application(taskId, worker.id)
    // Whoever stepped down, or took the application back, may apply again.
    if (earlier !== null && earlier.status !== 'withdrawn')
      throw new MarketError('already_applied', { task_id: taskId })
    requireOpen(task, worker, now)
    await requireNotOrdered(tx, task, worker)
    await requireRoom(tx, task)
    if (!(await tx.insertApplication(application))) throw new MarketError('already_applied', { task_id: taskId })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'worker.applied',
      taskId,
      at: now,
      data: { task_id: taskId, application_id: application.id, executor_id: worker.id },
    })
    if (takesOn) await takeOn({ deps, tx, task, now }, worker, null)
  })
  return {
    ...application,
    status: takesOn ? 'accepted' : 'pending',
    wallet: worker.wallet,
    displayName: worker.displayName,
    picture: worker.picture,
    party: worker.party,
    agentId: agentId ?? worker.agentId,
    reputation: worker.reputation,
  }
}

/** An order is between two parties: until its seller was assigned, nobody else applies (spec §1.7). */
export async function requireNotOrdered(tx: Tx, task: Task, worker: WorkerView): Promise<void> {
  const seller = await tx.orderedSeller(task.id)
  if (seller === null || seller === worker.id) return
  throw new MarketError(
    'TASK_NOT_OPEN',
    { task_id: task.id, status: task.status },
    { message: 'This task is the order of a service: only its seller may take it.' },
  )
}

/** Whoever applies, or is invited, finds the task open and may take it. */
export function requireOpen(task: Task, worker: WorkerView, now: Date): void {
  if (task.status !== 'published') throw new MarketError('TASK_NOT_OPEN', { task_id: task.id, status: task.status })
  if (task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
  requireEligible(task, worker)
}

/** The gates of every accept path: party, reputation, and two distinct wallets (spec §1.3, §1.6). */
export function requireEligible(task: Task, worker: WorkerView): void {
  if (task.publisherWallet === worker.wallet) throw new MarketError('SELF_PAYMENT_BLOCKED', { task_id: task.id })
  if (!mayTake(task.target, worker.party))
    throw new MarketError('PARTY_MISMATCH', { target_executor_type: task.target, executor_type: worker.party })
  if (!meetsReputation(task.minReputation, worker.reputation.effective)) {
    throw new MarketError('REPUTATION_TOO_LOW', {
      min_reputation: task.minReputation,
      effective_reputation_score: worker.reputation.effective,
    })
  }
}
