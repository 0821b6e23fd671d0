import type { TaskStatus } from '@ergon/contract'
import { usageError } from './cli-error.ts'
import type { Options, Outcome } from './command.ts'
import type { ExitName } from './exit-codes.ts'
import { nextEvents, patiently, placeOfNow, type Event } from './event-cursor.ts'
import type { Session } from './session.ts'

export const waitOptions: Options = {
  timeout: { value: 'SECONDS', about: 'Give up after this long; for ever when left out.' },
}

/** How a task that is over answers a script. */
const ends: Partial<Record<TaskStatus, ExitName>> = {
  completed: 'ok',
  disputed: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
}

/**
 * How long to wait, what for (an event; the end of the task when left out), and whether to say what happens meanwhile.
 */
export type Watching = { readonly timeoutSec: number | undefined; readonly until?: string; readonly tell: boolean }

/**
 * Waits on the event cursor: taken before the task is read, so that nothing falls between the two. What is told is
 * every event of the task from now on; with `until`, those that were count as well.
 */
export async function watchTask(session: Session, taskId: string, watching: Watching): Promise<Outcome> {
  const client = session.client()
  if (watching.timeoutSec !== undefined && watching.timeoutSec < 0) throw usageError('--timeout must not be negative')
  const deadline = performance.now() + (watching.timeoutSec ?? Infinity) * 1_000
  const filter = { task_id: taskId }
  let cursor = watching.until === undefined ? await placeOfNow(client, filter) : undefined
  for (;;) {
    const task =
      watching.until === undefined
        ? await patiently(session, () => client.tasks.get({ task_id: taskId }), deadline)
        : undefined
    const exit = task === undefined ? undefined : ends[task.status]
    if (task !== undefined && exit !== undefined)
      return outcome(task.id, { status: task.status, task }, exit, `${task.id} is ${task.status}`)
    session.progress(task === undefined ? `waiting for ${watching.until ?? ''}` : `the task is ${task.status}; waiting`)
    const { page, cursor: next } = await nextEvents(session, client, filter, cursor, deadline)
    cursor = next
    for (const event of page) {
      if (watching.tell) tell(session, event)
      if (event.type === watching.until) return outcome(taskId, { event }, 'ok', `${event.type} ${taskId}`)
    }
  }
}

function tell(session: Session, event: Event): void {
  if (session.manner.quiet) return
  session.emit(session.manner.json ? JSON.stringify({ event }) : `${event.created_at}  ${event.type}`)
}

function outcome(id: string, data: unknown, exit: ExitName, line: string): Outcome {
  return { data, brief: id, lines: [line], exit }
}
