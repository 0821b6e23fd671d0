import type { TaskStatus } from '@ergon/contract'

/** Why nothing can be handed in for a task by a worker now; undefined where it can. */
export type WhyClosed = 'free' | 'others' | 'handedIn' | 'disputed' | 'paid' | 'cancelled' | 'expired'

const closed: Readonly<Record<TaskStatus, WhyClosed | undefined>> = {
  draft: 'free',
  published: 'free',
  assigning: 'free',
  accepted: undefined,
  in_progress: undefined,
  submitted: 'handedIn',
  verifying: 'handedIn',
  disputed: 'disputed',
  completed: 'paid',
  cancelled: 'cancelled',
  expired: 'expired',
}

/**
 * `workerId` is null where the person never worked, and undefined where nobody knows that yet; then the service is left
 * to say it.
 */
export function whyClosed(
  { status, executor_id }: { readonly status: TaskStatus; readonly executor_id: string | null },
  workerId: string | null | undefined,
): WhyClosed | undefined {
  const isOthers = executor_id !== null && workerId !== undefined && executor_id !== workerId
  return isOthers ? 'others' : closed[status]
}
