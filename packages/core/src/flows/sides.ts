import type { WalletCaller } from '../caller.ts'
import { sideOf, type Side } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, existingWorker } from './read.ts'

/** The two sides of a task, one of them asking. */
export type Sides = { readonly task: Task; readonly worker: WorkerView; readonly side: Side }

/** @throws FORBIDDEN to everybody but the publisher and the worker of a task that has one */
export async function sidesOf(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<Sides> {
  const task = await existingTask(deps, taskId)
  const worker = task.executorId === null ? null : await existingWorker(deps, task.executorId)
  const side = sideOf({ publisherWallet: task.publisherWallet, workerWallet: worker?.wallet ?? '' }, caller.wallet)
  if (side === null) throw new MarketError('FORBIDDEN', { task_id: taskId })
  if (worker === null) throw new MarketError('OFFER_NOT_OPEN', { task_id: taskId, status: task.status })
  return { task, worker, side }
}
