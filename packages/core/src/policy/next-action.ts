import type { NextAct, NextOtherwise, NextWho } from '@ergon/contract'
import type { Deciders } from '@ergon/contract/facts'
import { isStream } from '../channels/stream.ts'
import type { Task } from '../tasks/task.ts'

/** Whose turn it is, what for, by when, and what happens otherwise; `by` null where nobody waits for a time. */
export type NextAction = {
  readonly who: NextWho
  readonly what: NextAct
  readonly by: Date | null
  readonly otherwise: NextOtherwise | null
}

type Seen = Pick<
  Task,
  'status' | 'escrowStatus' | 'deadline' | 'policy' | 'reviewUntil' | 'turn' | 'evidenceRequired'
> & {
  readonly startBy?: Date | null
  readonly applicants?: number | null
  readonly isPaying?: boolean
  readonly deciders?: Deciders | null
}

const moving: readonly Task['escrowStatus'][] = ['authorizing', 'releasing', 'refunding']
/** Whether a settlement of the escrow is under way, or was when the task was read. */
export const isEscrowMoving = ({ escrowStatus }: Pick<Task, 'escrowStatus'>): boolean => moving.includes(escrowStatus)
const settling: NextAction = { who: 'service', what: 'settle', by: null, otherwise: null }

/** Exactly whose turn it is (decision 0159); null where nothing happens any more. */
export function nextAction(task: Seen): NextAction | null {
  if (isEscrowMoving(task) || task.isPaying === true) return settling
  const usual = byStatus(task)
  return usual === null ? null : byTurn(task, usual)
}

/** What two parties, or an arbiter, have put in the way of the status (decisions 0167, 0168). */
function byTurn({ turn, status }: Seen, usual: NextAction): NextAction {
  switch (turn?.kind) {
    case 'ruling':
      return { ...usual, who: 'service', what: 'carry_out', by: new Date(turn.untilMs), otherwise: null }
    case 'appealed':
      return { ...usual, who: 'operator' }
    case 'owed':
      return { ...usual, who: 'publisher', what: 'pay', otherwise: 'expire' }
    case 'offer': {
      // Whoever is awaited anyway is told of the offer; in a dispute both wait for its arbiter.
      if (status !== 'disputed' && usual.who !== turn.of) return usual
      const until = new Date(turn.untilMs)
      const by = usual.by !== null && usual.by < until ? usual.by : until
      return { ...usual, who: turn.of, what: 'answer_offer', by }
    }
    case undefined:
      return usual
  }
}

function byStatus(task: Seen): NextAction | null {
  const { status, deadline: by, policy } = task
  switch (status) {
    case 'published':
      return (task.applicants ?? 0) > 0
        ? { who: 'publisher', what: 'assign', by, otherwise: 'expire' }
        : { who: 'workers', what: 'apply', by, otherwise: 'expire' }
    case 'assigning':
      return settling
    case 'accepted':
      if (isStream(task)) return ticking(by)
      if (task.startBy !== null && task.startBy !== undefined)
        return { who: 'worker', what: 'begin', by: task.startBy, otherwise: 'hand_on' }
      return { who: 'worker', what: 'hand_in', by, otherwise: 'expire' }
    case 'in_progress':
      if (isStream(task)) return ticking(by)
      return { who: 'worker', what: 'hand_in', by, otherwise: policy === null ? 'expire' : 'dispute_or_expire' }
    case 'submitted':
    case 'verifying':
      return policy === null
        ? { who: 'publisher', what: 'decide', by, otherwise: 'expire' }
        : { who: 'publisher', what: 'decide', by: task.reviewUntil ?? by, otherwise: lapseOf(policy.onSilence) }
    case 'disputed':
      return {
        who: task.deciders === 'named' || task.deciders === 'any' ? 'arbiter' : 'operator',
        what: 'rule',
        by,
        otherwise: policy === null ? 'expire' : 'release_or_expire',
      }
    case 'completed':
    case 'cancelled':
    case 'expired':
    case 'draft':
      return null
  }
}

/** A session is paid as it passes; how it ends depends on its channel, which a task does not show (decision 0204). */
const ticking = (by: Date): NextAction => ({ who: 'worker', what: 'tick', by, otherwise: null })

/** A release that the payer did not sign for, or whose checks did not pass, is a dispute. */
const lapseOf = (onSilence: 'release' | 'dispute'): NextOtherwise =>
  onSilence === 'release' ? 'release_or_dispute' : 'dispute'
