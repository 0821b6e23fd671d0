import { MarketError } from '../errors.ts'
import type { Caller, WalletCaller } from '../caller.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { visibility } from '../tasks/visibility.ts'
import type { MarketDeps } from './deps.ts'

/** Reads every flow begins with; each throws what its caller should be told. */

export async function existingTask(
  deps: MarketDeps,
  taskId: string,
): ReturnType<MarketDeps['store']['task']> extends Promise<infer T> ? Promise<NonNullable<T>> : never {
  const task = await deps.store.task(taskId)
  if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  return task
}

/** The task, for its publisher alone. */
export async function ownTask(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
): Promise<Awaited<ReturnType<typeof existingTask>>> {
  const task = await existingTask(deps, taskId)
  if (task.publisherWallet !== caller.wallet) throw new MarketError('FORBIDDEN', { task_id: taskId })
  return task
}

/** @throws FORBIDDEN to everybody but the publisher and the worker */
export async function requireParty(deps: MarketDeps, caller: WalletCaller, task: Task): Promise<void> {
  if (task.publisherWallet === caller.wallet) return
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null || worker.id !== task.executorId) throw new MarketError('FORBIDDEN', { task_id: task.id })
}

/** @throws TASK_GONE to outsiders of a task that is over, TASK_NOT_FOUND for what they may not know of. */
export async function requireVisible(deps: MarketDeps, caller: Caller, task: Task): Promise<void> {
  const isParticipant =
    caller.kind === 'wallet' &&
    caller.wallet !== task.publisherWallet &&
    (await deps.store.isParticipant(task.id, caller.wallet))
  switch (visibility(task, caller, isParticipant)) {
    case 'gone':
      throw new MarketError('TASK_GONE', { task_id: task.id, status: task.status })
    case 'hidden':
      throw caller.kind === 'anonymous'
        ? new MarketError('SIGNATURE_REQUIRED')
        : new MarketError('FORBIDDEN', { task_id: task.id })
    case 'full':
    case 'public':
  }
}

export async function existingWorker(deps: MarketDeps, executorId: string): Promise<WorkerView> {
  const worker = await deps.store.worker(executorId)
  if (worker === null) throw new MarketError('WORKER_NOT_FOUND', { executor_id: executorId })
  return worker
}

export async function existingSubmission(deps: MarketDeps, submissionId: string): Promise<Submission> {
  const submission = await deps.store.submission(submissionId)
  if (submission === null) throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id: submissionId })
  return submission
}

/** The submission and its task, for the publisher alone. */
export async function ownSubmission(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
): Promise<{ readonly submission: Submission; readonly task: Awaited<ReturnType<typeof existingTask>> }> {
  const submission = await existingSubmission(deps, submissionId)
  const task = await existingTask(deps, submission.taskId)
  if (task.publisherWallet !== caller.wallet) throw new MarketError('FORBIDDEN', { submission_id: submissionId })
  return { submission, task }
}
