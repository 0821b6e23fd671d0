import type { TaskStatus } from '@ergon/contract'

/** Whose turn it is with a task: nobody's when it is over or the service itself is at work. */
export type Turn = 'publisher' | 'worker' | 'service' | 'arbiter' | 'applicants' | 'nobody'

const turns: Readonly<Record<TaskStatus, Turn>> = {
  draft: 'publisher',
  published: 'applicants',
  assigning: 'service',
  accepted: 'worker',
  in_progress: 'worker',
  submitted: 'service',
  verifying: 'publisher',
  completed: 'nobody',
  disputed: 'arbiter',
  cancelled: 'nobody',
  expired: 'nobody',
}

/** An open task waits for applicants until there is one; then for its publisher to choose. */
export function turnOf(status: TaskStatus, applicants = 0): Turn {
  return status === 'published' && applicants > 0 ? 'publisher' : turns[status]
}

/** Whether a deadline still matters. */
export const isRunning = (status: TaskStatus): boolean => turns[status] !== 'nobody'
