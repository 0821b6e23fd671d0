import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { askedUntil, boundUntil, readPolicy, type PolicyInput, type TaskPolicy } from '../policy/policy.ts'
import type { Tx } from '../ports/store.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, ownTask, requireVisible } from './read.ts'

/** `fixed`: a worker applied, so it stays as it is. */
export type PolicyView = {
  readonly taskId: string
  readonly policy: TaskPolicy | null
  readonly fixed: boolean
  /** Until when money would be bound at most, by the deadline as it is now. */
  readonly boundUntil: Date | null
}

/** Gives a task its policy, the whole of it; only while nobody applied, because applicants count on it. */
export async function setPolicy(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: PolicyInput,
): Promise<PolicyView> {
  const task = await ownTask(deps, caller, taskId)
  const policy = readPolicy(input)
  requireArbiter(deps, task, policy)
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current?.status !== 'published' || (await tx.hasApplications(taskId)))
      throw new MarketError('TASK_NOT_EDITABLE', { task_id: taskId, status: task.status })
    await tx.changeTask(taskId, { policy }, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.updated', taskId, at: now, data: { task_id: taskId } })
  })
  return { taskId, policy, fixed: false, boundUntil: mostBound({ ...task, policy }) }
}

function mostBound(task: Task): Date | null {
  const until = boundUntil(task)
  return until === null ? null : askedUntil({ deadline: task.deadline, boundUntil: until })
}

/** @throws ARBITER_UNKNOWN for one that the operator does not name, FORBIDDEN for the publisher itself */
function requireArbiter({ settings }: MarketDeps, task: Task, { arbiter }: TaskPolicy): void {
  if (arbiter === undefined || arbiter === null) return
  if (arbiter === task.publisherWallet) throw new MarketError('FORBIDDEN', { task_id: task.id, arbiter })
  if (settings.arbiters?.includes(arbiter) !== true)
    throw new MarketError('ARBITER_UNKNOWN', { task_id: task.id, arbiter })
}

/** Whoever may see the task may know what it can rely on. */
export async function taskPolicy(deps: MarketDeps, caller: Caller, taskId: string): Promise<PolicyView> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const fixed = task.status !== 'published' || (await deps.store.transaction((tx) => tx.hasApplications(taskId)))
  return { taskId, policy: task.policy, fixed, boundUntil: mostBound(task) }
}

/** @throws TASK_NOT_OPEN when as many wait as the policy lets */
export async function requireRoom(tx: Tx, { id, status, policy }: Task): Promise<void> {
  const most = policy?.applicationsMost ?? null
  if (most === null || (await tx.countPending(id)) < most) return
  throw new MarketError(
    'TASK_NOT_OPEN',
    { task_id: id, status, applications_max: most },
    { message: 'As many have applied as this task takes.' },
  )
}

/** @throws SUBMISSION_NOT_REVIEWABLE when changes were asked for as often as the policy lets */
export async function requireRevisionLeft(deps: MarketDeps, { policy }: Task, submission: Submission): Promise<void> {
  if (policy === null) return
  const handedIn = await deps.store.submissions(submission.taskId)
  const asked = handedIn.filter(
    ({ id, executorId, status }) =>
      id !== submission.id && executorId === submission.executorId && status === 'rejected',
  ).length
  if (asked < policy.revisionsMost) return
  throw new MarketError(
    'SUBMISSION_NOT_REVIEWABLE',
    { submission_id: submission.id, revisions_max: policy.revisionsMost },
    { message: 'Changes were asked for as often as this task allows. Approve the work or reject it.' },
  )
}
