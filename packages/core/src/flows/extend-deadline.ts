import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Payment } from '../escrow/payment.ts'
import { extensionLimits } from '@ergon/contract/facts'
import { latestDeadline, requireExtension, type Extension, type ExtensionBounds } from '../tasks/extension.ts'
import type { Task } from '../tasks/task.ts'
import type { Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, ownTask, requireVisible } from './read.ts'
import { mostTold } from './tell-unchosen.ts'

/** `was`: before it was last extended. `latest`: what can still be asked for. */
export type DeadlineView = {
  readonly taskId: string
  readonly deadline: Date
  readonly was: Date | null
  readonly left: number
  readonly latest: Date | null
  readonly authorizationEnds: Date | null
}

/** The publisher puts the deadline off, never back, as far as the money that is locked lasts (decision 0237). */
export async function extendDeadline(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  to: Date,
): Promise<DeadlineView> {
  await ownTask(deps, caller, taskId)
  return deps.store.transaction(async (tx) => {
    const now = deps.clock.now()
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    const bounds = boundsOf(task, await tx.extensionsOf(taskId), await tx.escrowPayment(taskId))
    requireExtension(task, to, bounds, now)
    const made: Extension = { id: deps.ids.next(), taskId, was: task.deadline, deadline: to, at: now }
    await tx.insertExtension(made)
    await tx.changeTask(taskId, { deadline: to }, now)
    await tell({ deps, tx, task, now }, made)
    return viewOf({ ...task, deadline: to }, { ...bounds, extensions: [...bounds.extensions, made] }, now)
  })
}

/** Whoever may see the task may know how far it can still be put off. */
export async function taskDeadline(deps: MarketDeps, caller: Caller, taskId: string): Promise<DeadlineView> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const [extensions, payment] = await Promise.all([deps.store.extensions(taskId), deps.store.escrowPayment(taskId)])
  return viewOf(task, boundsOf(task, extensions, payment), deps.clock.now())
}

function boundsOf(task: Task, extensions: readonly Extension[], payment: Payment | null): ExtensionBounds {
  // An open task may still have the payment of an earlier worker, which went back.
  const isLocked = task.escrowStatus !== 'none' && task.status !== 'published'
  return { extensions, authorizationExpiry: isLocked && payment !== null ? payment.authorizationExpiry : null }
}

function viewOf(task: Task, bounds: ExtensionBounds, now: Date): DeadlineView {
  const { extensions, authorizationExpiry } = bounds
  return {
    taskId: task.id,
    deadline: task.deadline,
    was: extensions.at(-1)?.was ?? null,
    left: extensionLimits.perTask - extensions.length,
    latest: latestDeadline(task, bounds, now),
    authorizationEnds: authorizationExpiry === null ? null : new Date(authorizationExpiry * 1_000),
  }
}

/** The task's own feed, and each worker who counts on the deadline: the one at work, and those who wait. */
async function tell({ deps, tx, task, now }: Place, { was, deadline }: Extension): Promise<void> {
  const moved = { task_id: task.id, deadline: deadline.toISOString(), was: was.toISOString() }
  const of = { taskId: task.id, at: now }
  await tx.addEvent({
    ...of,
    id: deps.ids.next(),
    type: 'task.deadline_moved',
    data: { ...moved, reason: 'extended' },
  })
  if (task.status === 'published')
    await tx.addEvent({ ...of, id: deps.ids.next(), type: 'task.updated', data: { task_id: task.id } })
  const waiting = await tx.pendingApplications(task.id, mostTold)
  const workers = [...(task.executorId === null ? [] : [task.executorId]), ...waiting.map((one) => one.executorId)]
  if (workers.length === 0) return
  await tx.addEvents(
    workers.map((executorId) => ({
      ...of,
      id: deps.ids.next(),
      type: 'worker.deadline_moved',
      data: { ...moved, executor_id: executorId },
    })),
  )
}
