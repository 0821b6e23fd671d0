import type { Side } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'

/** Who reads it: the two sides of an assignment, or whoever may see the task. */
export type Audience = 'parties' | 'public'

/** What one side of a task says to the other; it is never changed, for it may be evidence (decision 0232). */
export type Message = {
  readonly id: string
  readonly taskId: string
  readonly audience: Audience
  /** The worker whom it is from or to: another worker finds a thread of its own. */
  readonly executorId: string
  readonly side: Side
  /** The wallet that wrote it. */
  readonly author: string
  readonly text: string
  /** The question that it answers. */
  readonly answers: string | null
  readonly createdAt: Date
}

/** How much may be said: in one thread, and by one wallet within a day. */
const messageLimits = { perThread: 200, perDay: 300 } as const

/** How much of that is taken. `dayBegan` is when the oldest of the day was written; null where there is none. */
export type Said = { readonly inThread: number; readonly inDay: number; readonly dayBegan: Date | null }

const dayMs = 86_400_000
/** What was written before is not of the day any more. */
export const dayBefore = (now: Date): Date => new Date(now.getTime() - dayMs)

/**
 * @throws TASK_NOT_OPEN where a thread is full, which no time mends; RATE_LIMITED where its author wrote as much as a
 * day takes, with when there is room again
 */
export function requireRoomForMessage({ inThread, inDay, dayBegan }: Said, taskId: string, now: Date): void {
  if (inThread >= messageLimits.perThread)
    throw new MarketError(
      'TASK_NOT_OPEN',
      { task_id: taskId, messages_max: messageLimits.perThread },
      { message: 'This thread is full. What has to be said beyond it belongs in a dispute.' },
    )
  if (inDay >= messageLimits.perDay) throw spentForToday(messageLimits.perDay, dayBegan, now)
}

/** The refusal of a bound that moves with the day: there is room when the oldest of the day is a day old. */
export function spentForToday(limit: number, dayBegan: Date | null, now: Date): MarketError {
  const reset = new Date((dayBegan ?? now).getTime() + dayMs)
  const seconds = Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1_000))
  return new MarketError('RATE_LIMITED', {
    limit,
    remaining: 0,
    reset_at: reset.toISOString(),
    retry_after_sec: seconds,
  })
}

/** Whether the two sides of a task may write to one another: from the assignment to the end. */
export function takesMessages({ status, executorId }: Pick<Task, 'status' | 'executorId'>): boolean {
  return executorId !== null && !isFinal(status)
}
