import { settleSession } from '@ergon/process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { cutOff } from './pool.ts'

/**
 * Tells every other process on this database that something was committed; the own one knows it already. Losing a word
 * costs a delay, never an event.
 */
export type WakeChannel = AsyncDisposable & { tell(): void }

export type WakeChannelDeps = {
  readonly databaseUrl: string
  readonly onWoken: () => void
  readonly onError: (error: unknown) => void
  readonly times?: Times
}

/** How soon it comes back, how often a quiet line is asked whether it still is one, and how long an answer may take. */
type Times = { readonly reconnectMs: number; readonly beatMs: number; readonly silenceMs: number }

const channel = 'ergon_events'
/** Words go out no more often than this: each costs the database a lock that all commits share. */
const gapMs = 20
const defaultTimes: Times = { reconnectMs: 1_000, beatMs: 5_000, silenceMs: 5_000 }

/** One connection that listens and tells; it comes back by itself, also from a line that has gone silent. */
export function openWakeChannel({ databaseUrl, onWoken, onError, times = defaultTimes }: WakeChannelDeps): WakeChannel {
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let said: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const word = createWord(onWoken)
  const lost = (one: pg.Client, error: unknown): void => {
    cutOff(one)
    if (client !== one) return // it was left before, or never listened: whoever opens it hears of that
    client = undefined
    again(error)
  }
  const again = (error: unknown): void => {
    if (isClosed) return
    onError(error)
    clearTimeout(retry)
    retry = setTimeout(connect, times.reconnectMs)
  }
  const connect = (): void => {
    const fresh = openClient(databaseUrl, times)
    fresh.on('notification', word.heard)
    // One line may fail more than once: the server says why it ends, then the line does.
    fresh.on('error', (error) => {
      lost(fresh, error)
    })
    opening = fresh
      .connect()
      .then(() => settleSession(fresh))
      .then(() => fresh.query(`listen ${channel}`))
      .then(
        () => {
          client = fresh
          if (isClosed) return
          onWoken() // Whatever was said while nobody listened.
        },
        (error: unknown) => {
          cutOff(fresh)
          again(error)
        },
      )
  }
  /** A connection carries one query at a time. */
  const say = (text: string): void => {
    said = said.then(async () => {
      const current = client
      if (current === undefined) return
      await current.query({ name: text, text }).catch((error: unknown) => {
        lost(current, error)
      })
    })
  }
  const telling = createGapped(() => {
    say(word.text)
  })
  connect()
  const beat = setInterval(say, times.beatMs, 'select 1')
  return {
    tell: telling.call,
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(retry)
      telling.stop()
      clearInterval(beat)
      await opening
      if (client !== undefined) await farewell(client)
    },
  }
}

/** Runs at once, and again after the gap for all who called meanwhile. */
function createGapped(run: () => void): { readonly call: () => void; readonly stop: () => void } {
  let waiting: NodeJS.Timeout | undefined
  let ranAt = Number.NEGATIVE_INFINITY
  const go = (): void => {
    waiting = undefined
    ranAt = performance.now()
    run()
  }
  return {
    call() {
      waiting ??= setTimeout(go, Math.max(0, ranAt + gapMs - performance.now()))
    },
    stop() {
      clearTimeout(waiting)
    },
  }
}

/** What one channel says, and how it hears the others: its own word comes back to it as well. */
function createWord(hear: () => void): { readonly text: string; readonly heard: (said: pg.Notification) => void } {
  const own = randomBytes(6).toString('base64url')
  return {
    text: `select pg_notify('${channel}', '${own}')`,
    heard: ({ payload }) => {
      if (payload !== own) hear()
    },
  }
}

function openClient(databaseUrl: string, { silenceMs }: Times): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: silenceMs,
    query_timeout: silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: silenceMs,
  })
}

const farewellMs = 2_000

/** A line that does not answer is cut. */
async function farewell(client: pg.Client): Promise<void> {
  const overdue = setTimeout(() => {
    cutOff(client)
  }, farewellMs)
  await client
    .end()
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(overdue)
    })
}
