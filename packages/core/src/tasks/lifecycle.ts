import type { TaskStatus } from '@ergon/contract'
import { cancellableStatuses, settleableStatuses } from '@ergon/contract/facts'

/** What can happen to a task. `lock`, `undoLock` and `confirmLock` are the three steps of an assignment with escrow. */
export type Move =
  | 'assign'
  | 'lock'
  | 'undoLock'
  | 'confirmLock'
  | 'submit'
  | 'verify'
  | 'approve'
  | 'reject'
  | 'requestChanges'
  | 'cancel'
  | 'expire'
  | 'dispute'
  | 'lapse'
  | 'resolveRelease'
  | 'resolveRefund'
  | 'resolveSplit'
  | 'settlePaid'
  | 'settleBack'
  | 'withdraw'

type Row = { readonly from: readonly TaskStatus[]; readonly to: TaskStatus }

/**
 * Part 3 of the specification row by row, then what it leaves open (decision 0011 to 22); printed as the lifecycle page
 * of the reference.
 */
export const lifecycle = {
  assign: { from: ['published'], to: 'accepted' },
  lock: { from: ['published'], to: 'assigning' },
  undoLock: { from: ['assigning'], to: 'published' },
  confirmLock: { from: ['assigning'], to: 'accepted' },
  submit: { from: ['accepted', 'in_progress'], to: 'submitted' },
  verify: { from: ['submitted'], to: 'verifying' },
  approve: { from: ['verifying', 'disputed'], to: 'completed' },
  reject: { from: ['verifying'], to: 'disputed' },
  requestChanges: { from: ['verifying'], to: 'in_progress' },
  cancel: { from: cancellableStatuses, to: 'cancelled' },
  expire: { from: ['published', 'accepted', 'in_progress', 'submitted', 'verifying', 'disputed'], to: 'expired' },
  dispute: { from: ['verifying'], to: 'disputed' },
  lapse: { from: ['verifying', 'in_progress'], to: 'disputed' },
  resolveRelease: { from: ['disputed'], to: 'completed' },
  resolveRefund: { from: ['disputed'], to: 'cancelled' },
  resolveSplit: { from: ['disputed'], to: 'completed' },
  settlePaid: { from: settleableStatuses, to: 'completed' },
  settleBack: { from: settleableStatuses, to: 'cancelled' },
  withdraw: { from: ['accepted', 'in_progress'], to: 'published' },
} as const satisfies Record<Move, Row>

/** Whether a task in this status may make the move. */
export function canMove(status: TaskStatus, move: Move): boolean {
  return (lifecycle[move].from as readonly TaskStatus[]).includes(status)
}

const finalStatuses: readonly TaskStatus[] = ['completed', 'cancelled', 'expired']

/** Whether nothing can happen to the task any more. */
export function isFinal(status: TaskStatus): boolean {
  return finalStatuses.includes(status)
}
