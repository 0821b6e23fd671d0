import type { Target } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { requireBuyer } from '../tasks/sell-intent.ts'
import type { SeenTask } from '../tasks/task.ts'
import { readTask } from '../views/task-views.ts'
import type { MarketDeps } from './deps.ts'
import { ownTask } from './read.ts'

export type UpdateInput = {
  readonly title?: string
  readonly instructions?: string
  readonly locationHint?: string
  readonly deadlineHours?: number
  readonly minReputation?: number
  readonly target?: Target
  /** Everybody may take what was the order of a service. */
  readonly opensOrder?: boolean
  /** The publisher says that it buys, whatever its words sound like. */
  readonly insists?: boolean
}

/**
 * Edits a published task nobody has applied to: what an applicant agreed to never changes under them. Who else may take
 * an order is no part of that (decision 0155).
 */
export async function updateTask(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: UpdateInput,
): Promise<SeenTask> {
  const task = await ownTask(deps, caller, taskId)
  const { deadlineHours, insists, opensOrder, ...changes } = input
  const edits = deadlineHours !== undefined || Object.keys(changes).length > 0 || opensOrder !== true
  requireBuyer({ ...task, ...changes }, insists === true)
  const now = deps.clock.now()
  const deadline = deadlineHours === undefined ? {} : { deadline: new Date(now.getTime() + deadlineHours * 3_600_000) }
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current?.status !== 'published' || (edits && (await tx.hasApplications(taskId))))
      throw new MarketError('TASK_NOT_EDITABLE', { task_id: taskId, status: task.status })
    if (opensOrder === true) await tx.openOrder(taskId)
    await tx.changeTask(taskId, { ...changes, ...deadline }, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.updated', taskId, at: now, data: { task_id: taskId } })
  })
  return readTask(deps, caller, taskId)
}
