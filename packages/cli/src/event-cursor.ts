import type { Client, Input, Output } from '@ergon/sdk'
import { CliError } from './cli-error.ts'
import type { Session } from './session.ts'

export type Event = Output<'events.list'>['events'][number]
export type EventFilter = Omit<Input<'events.list'>, 'cursor' | 'limit' | 'wait_seconds'>
const longestPollSec = 20

/**
 * The next events behind a place, however many empty answers that takes. @throws CliError when the time has passed or
 * the caller stops it
 */
export async function nextEvents(
  session: Session,
  client: Client,
  filter: EventFilter,
  from: string | undefined,
  deadline: number,
): Promise<{ readonly page: readonly Event[]; readonly cursor: string }> {
  let cursor = from
  for (;;) {
    const left = (deadline - Date.now()) / 1_000
    const wait_seconds = Math.max(0, Math.min(longestPollSec, Math.floor(left)))
    const asked = client.events.list({ ...filter, wait_seconds, ...(cursor === undefined ? {} : { cursor }) })
    const { events: page, next_cursor } = await unlessStopped(session, asked)
    cursor = next_cursor
    if (page.length > 0) return { page, cursor }
    if (Date.now() >= deadline)
      throw new CliError('timeout', 'TIMEOUT', 'the time given has passed', 'Wait again, or longer with --timeout.')
    // Less than a second is left, which the service cannot be asked to wait.
    if (wait_seconds === 0)
      await unlessStopped(
        session,
        new Promise((resolve) => setTimeout(resolve, Math.min(250, Math.max(0, deadline - Date.now())))),
      )
  }
}

/** Where the stream is now; what comes later is behind it. */
export async function placeOfNow(client: Client, filter: EventFilter): Promise<string> {
  return (await client.events.list({ ...filter, cursor: 'now', limit: 1 })).next_cursor
}

function unlessStopped<T>({ stopped }: Session, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new CliError('interrupted', 'INTERRUPTED', 'stopped', 'Run it again to go on.'))
    }
    if (stopped.aborted) stop()
    stopped.addEventListener('abort', stop, { once: true })
    asked.then(resolve, reject).finally(() => {
      stopped.removeEventListener('abort', stop)
    })
  })
}
