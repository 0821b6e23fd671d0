import type { TaskStatus } from '@ergon/contract'
import type { Client, Output } from '@ergon/sdk'
import { CliError, usageError } from './cli-error.ts'
import type { Options, Outcome } from './command.ts'
import type { ExitName } from './exit-codes.ts'
import type { Session } from './session.ts'

type Event = Output<'events.list'>['events'][number]

export const waitOptions: Options = { timeout: { value: 'SECONDS', about: 'Give up after this long; for ever when left out.' } }

/** How a task that is over answers a script. */
const ends: Partial<Record<TaskStatus, ExitName>> = { completed: 'ok', disputed: 'rejected', expired: 'expired', cancelled: 'cancelled' }
const longestPollSec = 20

/** How long to wait, what for (an event; the end of the task when left out), and whether to say what happens meanwhile. */
export type Watching = { readonly timeoutSec: number | undefined; readonly until?: string; readonly tell: boolean }

/**
 * Waits on the event cursor: taken before the task is read, so that nothing falls between the two. What is told is
 * every event of the task from now on; with `until`, those that were count as well.
 */
export async function watchTask(session: Session, taskId: string, watching: Watching): Promise<Outcome> {
  const client = session.client()
  if (watching.timeoutSec !== undefined && watching.timeoutSec < 0) throw usageError('--timeout must not be negative')
  const deadline = Date.now() + (watching.timeoutSec ?? Infinity) * 1_000
  const { next_cursor } = await client.events.list({ task_id: taskId, cursor: 'now', limit: 1 })
  let cursor = watching.until === undefined ? next_cursor : undefined
  for (;;) {
    const task = watching.until === undefined ? await client.tasks.get({ task_id: taskId }) : undefined
    const exit = task === undefined ? undefined : ends[task.status]
    if (task !== undefined && exit !== undefined) return outcome(task.id, { status: task.status, task }, exit, `${task.id} is ${task.status}`)
    session.progress(task === undefined ? `waiting for ${watching.until ?? ''}` : `${task.status}; waiting`)
    const { page, cursor: next } = await news(session, client, taskId, cursor, deadline)
    cursor = next
    for (const event of page) {
      if (watching.tell) tell(session, event)
      if (event.type === watching.until) return outcome(taskId, { event }, 'ok', `${event.type} ${taskId}`)
    }
  }
}

/** The next events, however many empty answers that takes. */
async function news(session: Session, client: Client, task_id: string, from: string | undefined, deadline: number): Promise<{ readonly page: readonly Event[]; readonly cursor: string }> {
  let cursor = from
  for (;;) {
    if (session.stopped.aborted) throw new CliError('interrupted', 'INTERRUPTED', 'stopped', 'Run it again to go on waiting.')
    const left = (deadline - Date.now()) / 1_000
    const wait_seconds = Math.max(0, Math.min(longestPollSec, Math.floor(left)))
    const { events: page, next_cursor } = await client.events.list({ task_id, wait_seconds, ...(cursor === undefined ? {} : { cursor }) })
    cursor = next_cursor
    if (page.length > 0) return { page, cursor }
    if (Date.now() >= deadline) throw new CliError('timeout', 'TIMEOUT', 'the time given has passed', 'Wait again, or longer with --timeout.')
    if (wait_seconds === 0) await new Promise((resolve) => setTimeout(resolve, Math.min(250, Math.max(0, deadline - Date.now()))))
  }
}

function tell(session: Session, event: Event): void {
  if (session.manner.quiet) return
  session.emit(session.manner.json ? JSON.stringify({ event }) : `${event.created_at}  ${event.type}`)
}

function outcome(id: string, data: unknown, exit: ExitName, line: string): Outcome {
  return { data, brief: id, lines: [line], exit }
}
