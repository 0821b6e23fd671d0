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

/** `workerId` is null where the person is not known as a worker yet; then the service is left to say it. */
export function whyClosed(
  { status, executor_id }: { readonly status: TaskStatus; readonly executor_id: string | null },
  workerId: string | null,
): WhyClosed | undefined {
  const isOthers = executor_id !== null && workerId !== null && executor_id !== workerId
  return isOthers ? 'others' : closed[status]
}
