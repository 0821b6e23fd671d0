import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import { dayBefore } from '../messages/message.ts'
import type { Tx } from '../ports/store.ts'
import { requireRoomForInvitation, type Invitation } from '../tasks/invitation.ts'
import { requireNotOrdered, requireOpen } from './apply.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { existingWorker, ownTask } from './read.ts'
import { requireNotBanned } from './set-ban.ts'

/**
 * The publisher of an open task asks a worker to look at it; the worker applies or does not. Once for a worker and a
 * task: said again it changes nothing (decision 0238).
 */
export async function invite(deps: MarketDeps, caller: WalletCaller, taskId: string, who: string): Promise<Invitation> {
  const task = await ownTask(deps, caller, taskId)
  const worker = await workerOf(deps, who)
  await requireNotApart(deps, task.publisherWallet, worker.wallet)
  await requireNotBanned(deps, worker.wallet)
  return deps.store.transaction(async (tx) => {
    const now = deps.clock.now()
    const current = await tx.lockTask(taskId)
    if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    const earlier = await tx.invitation(taskId, worker.id)
    if (earlier !== null) return earlier
    requireOpen(current, worker, now)
    await requireNotOrdered(tx, current, worker)
    await requireNotApplied(tx, taskId, worker)
    const made = { id: deps.ids.next(), taskId, executorId: worker.id, publisher: task.publisherWallet, at: now }
    requireRoomForInvitation(await tx.invited(made, dayBefore(now)), taskId, now)
    await tx.insertInvitation(made)
    const data = { task_id: taskId, executor_id: worker.id }
    await tx.addEvent({ id: deps.ids.next(), type: 'worker.invited', taskId, at: now, data })
    return made
  })
}

/** By the id of a worker, or by its wallet. @throws WORKER_NOT_FOUND */
async function workerOf(deps: MarketDeps, who: string): Promise<WorkerView> {
  if (!who.startsWith('0x')) return existingWorker(deps, who)
  const worker = await deps.store.workerByWallet(who.toLowerCase())
  if (worker === null) throw new MarketError('WORKER_NOT_FOUND', { wallet: who })
  return worker
}

async function requireNotApplied(tx: Tx, taskId: string, { id }: WorkerView): Promise<void> {
  const application = await tx.application(taskId, id)
  if (application !== null && application.status !== 'withdrawn')
    throw new MarketError(
      'already_applied',
      { task_id: taskId, executor_id: id },
      { message: 'This worker has already applied to the task.' },
    )
}
