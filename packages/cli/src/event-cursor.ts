import { setTimeout as pause } from 'node:timers/promises'
import { ErgonError, type Client, type Input, type Output } from '@ergon/sdk'
import { CliError } from './cli-error.ts'
import type { Session } from './session.ts'

export type Event = Output<'events.list'>['events'][number]
export type EventFilter = Omit<Input<'events.list'>, 'cursor' | 'limit' | 'wait_seconds'>
const longestPollSec = 20
/** Between two rounds of asking a service that is away; the client asks several times a round. */
const awayPauseMs = 3_000

/**
 * The next events behind a place, however many empty answers that takes, and however often the service is started again
 * meanwhile. `deadline` is of the monotonic clock. @throws CliError when the time has passed or the caller stops it
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
    const left = (deadline - performance.now()) / 1_000
    const wait_seconds = Math.max(0, Math.min(longestPollSec, Math.floor(left)))
    const asked = { ...filter, wait_seconds, ...(cursor === undefined ? {} : { cursor }) }
    const ask = (): ReturnType<Client['events']['list']> => client.events.list(asked)
    // A service that has never answered may be none.
    const { events: page, next_cursor } =
      cursor === undefined ? await unlessStopped(session, ask()) : await patiently(session, ask, deadline)
    cursor = next_cursor
    if (page.length > 0) return { page, cursor }
    if (performance.now() >= deadline)
      throw new CliError('timeout', 'TIMEOUT', 'the time given has passed', 'Wait again, or longer with --timeout.')
    // Less than a second is left, which the service cannot be asked to wait.
    if (wait_seconds === 0)
      await unlessStopped(
        session,
        new Promise((resolve) => setTimeout(resolve, Math.min(250, Math.max(0, deadline - performance.now())))),
      )
  }
}

/**
 * Asks again while the service is away, or has no room: whoever waits for hours outlives its restarts (decision 0348).
 * @throws what the service said when the time is up, and CliError when the caller stops it
 */
export async function patiently<T>(session: Session, ask: () => Promise<T>, deadline: number): Promise<T> {
  for (let isAway = false; ; isAway = true) {
    try {
      const answer = await unlessStopped(session, ask())
      if (isAway) session.settle()
      return answer
    } catch (error) {
      if (!(error instanceof ErgonError) || !error.retryable || !mayPass(error)) throw error
      const pauseMs = Math.max(awayPauseMs, (error.retryAfterSec ?? 0) * 1_000)
      if (performance.now() + pauseMs >= deadline) throw error
      session.progress(`the service does not answer (${error.code}); asking again`)
      await unlessStopped(session, pause(pauseMs, undefined, { signal: session.stopped }))
    }
  }
}

const mayPass = ({ status }: ErgonError): boolean => status === 0 || status === 429 || status >= 500

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
