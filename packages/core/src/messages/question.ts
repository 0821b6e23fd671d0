import { MarketError } from '../errors.ts'
import type { Task } from '../tasks/task.ts'
import { spentForToday, type Message } from './message.ts'

/** What a worker asks in public before it takes a task, and what the publisher answers (decision 0233). */
export type Question = Message & { readonly answer: Message | null }

/**
 * How much may be asked: of one task, by one worker of it, and by one wallet within a day. What is not answered fills
 * the task soonest: an answer makes room.
 */
const questionLimits = { perTask: 100, unanswered: 20, perWorker: 5, perDay: 30 } as const

/** How much of that is taken. `dayBegan` is when the oldest of the day was asked; null where there is none. */
export type Asked = {
  readonly inTask: number
  readonly unanswered: number
  readonly byWorker: number
  readonly inDay: number
  readonly dayBegan: Date | null
}

/** Questions are for those who may still take the task. */
export function takesQuestions({ status, deadline }: Pick<Task, 'status' | 'deadline'>, now: Date): boolean {
  return status === 'published' && deadline > now
}

/**
 * @throws TASK_NOT_OPEN where the task, or the worker for it, has all its questions, which no time mends; RATE_LIMITED
 * where answers make room, or the next day
 */
export function requireRoomForQuestion(asked: Asked, taskId: string, now: Date): void {
  const { inTask, unanswered, byWorker, inDay, dayBegan } = asked
  const full = (bound: Readonly<Record<string, number>>, message: string): MarketError =>
    new MarketError('TASK_NOT_OPEN', { task_id: taskId, ...bound }, { message })
  const { perTask, perWorker, perDay } = questionLimits
  if (inTask >= perTask)
    throw full({ questions_max: perTask }, 'This task has as many questions as it takes. Read what was answered.')
  if (byWorker >= perWorker)
    throw full({ questions_of_a_worker: perWorker }, 'You have asked as many questions about this task as you may.')
  if (unanswered >= questionLimits.unanswered)
    throw new MarketError('RATE_LIMITED', { task_id: taskId, unanswered_max: questionLimits.unanswered })
  if (inDay >= perDay) throw spentForToday(perDay, dayBegan, now)
}
