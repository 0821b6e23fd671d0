import type { TaskStatus } from '@ergon/contract'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'

/**
 * `refund`: what is held goes back first. `dispute`: a dispute opens. `refused`: the status would say what did not
 * happen.
 */
export type ForcedMove = 'unchanged' | 'move' | 'refund' | 'dispute' | 'refused'

/**
 * What it takes to force a task into a status. Only where no money contradicts it: nothing is accepted or completed
 * because an operator says so, and what is in review is decided by a dispute (decision 0057).
 */
export function forcedMove(
  { status, escrowStatus }: Pick<Task, 'status' | 'escrowStatus'>,
  to: TaskStatus,
): ForcedMove {
  if (status === to) return 'unchanged'
  if (to === 'published') return status === 'draft' ? 'move' : 'refused'
  if (to === 'disputed') return canMove(status, 'dispute') ? 'dispute' : 'refused'
  const isAllowed = to === 'cancelled' ? cancellable.includes(status) : to === 'expired' && canMove(status, 'expire')
  if (!isAllowed) return 'refused'
  if (escrowStatus === 'authorized') return 'refund'
  return unheld.includes(escrowStatus) ? 'move' : 'refused'
}

/** A submission in review is not cancelled away: it is disputed, and the dispute resolved. */
const cancellable: readonly TaskStatus[] = ['draft', 'published', 'accepted', 'in_progress']
const unheld: readonly Task['escrowStatus'][] = ['none', 'pending_assignment', 'refunded']
