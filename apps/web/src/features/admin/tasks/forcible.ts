import type { TaskStatus } from '@ergon/contract'

/**
 * The statuses a task can be put into by hand; the service refuses the others, and some of these while money moves
 * (decision 0057).
 */
export const forcible: Readonly<Record<TaskStatus, readonly ForcibleStatus[]>> = {
  draft: ['published', 'cancelled'],
  published: ['cancelled', 'expired'],
  accepted: ['cancelled', 'expired'],
  in_progress: ['cancelled', 'expired'],
  submitted: ['expired'],
  verifying: ['disputed', 'expired'],
  disputed: ['expired'],
  assigning: [],
  completed: [],
  cancelled: [],
  expired: [],
}
export type ForcibleStatus = 'published' | 'cancelled' | 'expired' | 'disputed'
