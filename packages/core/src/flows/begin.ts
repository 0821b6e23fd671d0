import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { assignedTask } from './submit.ts'

/**
 * The worker says that it has begun (decision 0174): nobody takes the task from it before the deadline any more. Said
 * again it changes nothing.
 */
export async function begin(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<Task> {
  const { executorId } = await assignedTask(deps, caller, taskId)
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    if (task.executorId !== executorId) throw new MarketError('FORBIDDEN', { task_id: taskId })
    if (task.status !== 'accepted' || task.escrowStatus === 'refunding')
      throw new MarketError('TASK_NOT_SUBMITTABLE', {
        task_id: taskId,
        status: task.status,
        escrow_status: task.escrowStatus,
      })
    if (task.startBy === null) return task
    await tx.changeTask(taskId, { startBy: null }, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.updated', taskId, at: now, data: { task_id: taskId } })
    return { ...task, startBy: null }
  })
}
