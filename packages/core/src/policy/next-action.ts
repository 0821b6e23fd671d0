import type { NextAct, NextOtherwise, NextWho } from '@ergon/contract'
import type { Task } from '../tasks/task.ts'

/** Whose turn it is, what for, by when, and what happens otherwise; `by` null where nobody waits for a time. */
export type NextAction = {
  readonly who: NextWho
  readonly what: NextAct
  readonly by: Date | null
  readonly otherwise: NextOtherwise | null
}

type Seen = Pick<Task, 'status' | 'escrowStatus' | 'deadline' | 'policy' | 'reviewUntil'> & {
  readonly startBy?: Date | null
  readonly applicants?: number | null
}

const moving: readonly Task['escrowStatus'][] = ['authorizing', 'releasing', 'refunding']
const settling: NextAction = { who: 'service', what: 'settle', by: null, otherwise: null }

/** Exactly whose turn it is (decision 0159); null where nothing happens any more. */
export function nextAction(task: Seen): NextAction | null {
  if (moving.includes(task.escrowStatus)) return settling
  const { status, deadline: by, policy } = task
  switch (status) {
    case 'published':
      return (task.applicants ?? 0) > 0
        ? { who: 'publisher', what: 'assign', by, otherwise: 'expire' }
        : { who: 'workers', what: 'apply', by, otherwise: 'expire' }
    case 'assigning':
      return settling
    case 'accepted':
      if (task.startBy !== null && task.startBy !== undefined)
        return { who: 'worker', what: 'begin', by: task.startBy, otherwise: 'hand_on' }
      return { who: 'worker', what: 'hand_in', by, otherwise: 'expire' }
    case 'in_progress':
      return { who: 'worker', what: 'hand_in', by, otherwise: policy === null ? 'expire' : 'dispute_or_expire' }
    case 'submitted':
    case 'verifying':
      return policy === null
        ? { who: 'publisher', what: 'decide', by, otherwise: 'expire' }
        : { who: 'publisher', what: 'decide', by: task.reviewUntil ?? by, otherwise: lapseOf(policy.onSilence) }
    case 'disputed':
      return { who: 'operator', what: 'rule', by, otherwise: policy === null ? 'expire' : 'release_or_expire' }
    case 'completed':
    case 'cancelled':
    case 'expired':
    case 'draft':
      return null
  }
}

/** A release that the payer did not sign for, or whose checks did not pass, is a dispute. */
const lapseOf = (onSilence: 'release' | 'dispute'): NextOtherwise =>
  onSilence === 'release' ? 'release_or_dispute' : 'dispute'
