import type { Task } from '../tasks/task.ts'

/** Assigned, asked to begin by a time, and neither said so nor handed anything in (decision 0174). */
export function hasNotBegun<T extends Pick<Task, 'status' | 'startBy' | 'executorId'>>(
  task: T,
): task is T & { readonly startBy: Date; readonly executorId: string } {
  return task.status === 'accepted' && task.startBy !== null && task.executorId !== null
}
