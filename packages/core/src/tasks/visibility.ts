import type { TaskStatus } from '@ergon/contract'
import type { Caller } from '../caller.ts'

/** Statuses anyone may see. */
export const publicStatuses = [
  'published',
  'accepted',
  'in_progress',
  'submitted',
  'verifying',
  'completed',
  'disputed',
  'assigning',
] as const satisfies readonly TaskStatus[]

export type Visibility = 'full' | 'public' | 'gone' | 'hidden'

/**
 * What a viewer sees of a task: everything, the public part, that it is over (410), or nothing.
 * Owner and participants read it in any status (spec §3).
 */
export function visibility(
  task: { readonly status: TaskStatus; readonly publisherWallet: string },
  viewer: Caller,
  isParticipant: boolean,
): Visibility {
  if (viewer.kind === 'wallet' && (viewer.wallet === task.publisherWallet || isParticipant)) return 'full'
  if (task.status === 'expired' || task.status === 'cancelled') return 'gone'
  return task.status === 'draft' ? 'hidden' : 'public'
}
