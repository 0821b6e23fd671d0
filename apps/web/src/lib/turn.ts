import type { TaskStatus } from '@ergon/contract'
import { settleableStatuses } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'

/** Who acts next, what, by when, and what happens otherwise; null where nothing happens any more (decision 0159). */
export type Next = Output<'tasks.get'>['next_action']
export type NextStep = NonNullable<Next>

/** Whose eyes read it; a reader is no side of it. */
export type TurnReader = 'publisher' | 'worker' | 'arbiter' | 'operator' | 'reader'

/** Whether it is the reader who acts next. */
export const isTurnOf = (next: Next, as: TurnReader): boolean => next?.who === as

/**
 * As the service says it. Where one task is read it counts no applicants, so a screen that lists them says that there
 * is an applicant to choose.
 */
export function nextWith(next: Next, applicants: number): Next {
  return next?.what === 'apply' && applicants > 0 ? { ...next, who: 'publisher', what: 'assign' } : next
}

const underway: readonly TaskStatus[] = settleableStatuses

/** From the assignment to the end: there are two sides, which may write to one another and settle. */
export const isUnderway = (status: TaskStatus): boolean => underway.includes(status)
