import { watchAnswers } from '@ergon/process'
import type { Pool, QueryConfig } from 'pg'
import { refusedMs } from './pool.ts'
import { createSharedClock } from './shared-clock.ts'

export type DatabaseWatch = Disposable & {
  /** What was last seen of the database; how long it has been silent. Asks nothing, so it is answered at once. */
  seen(): DatabaseSight
  /** The time of the database, which all servers on it share; this machine's own until the database was asked once. */
  now(): Date
  /** Resolves when the database was asked for the first time, also when it did not answer. */
  begun: Promise<void>
}

export type DatabaseSight = {
  /** Since the last answer, milliseconds. */
  readonly silentMs: number
  /** Since when it has taken in no new connection, milliseconds; those that are open may go on. */
  readonly refusedMs: number
  readonly isWritable: boolean
  /** How far the clock of this machine is ahead of the database's, which all servers share; null until it is known. */
  readonly clockAheadMs: number | null
}

export type WatchOptions = {
  /** The clock of this machine. */
  readonly clock?: () => number
  /** A question in vain: whatever else is open may be dead as well. */
  readonly onSilence?: () => void
}

// A statement may bring its own patience, which the types of the driver do not know.
const question: QueryConfig & { readonly query_timeout: number } = {
  name: 'database-watch',
  text: `select 1 as one, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
    current_setting('transaction_read_only') = 'off' as writable`,
  query_timeout: 2_000,
}

/** Asks every two seconds whether the database answers, can be written, and what time it has. */
export function watchDatabase(pool: Pool, { clock = Date.now, onSilence }: WatchOptions = {}): DatabaseWatch {
  let isWritable = true
  const shared = createSharedClock(clock)
  const ask = async (): Promise<void> => {
    const beganAt = performance.now()
    const { rows } = await pool.query<{ now_ms: number; writable: boolean }>(question)
    const [row] = rows
    if (row === undefined) return
    isWritable = row.writable
    shared.saw({ beganAt, answeredAt: performance.now(), nowMs: row.now_ms })
  }
  const watch = watchAnswers(ask, onSilence === undefined ? {} : { onSilence })
  return {
    seen: () => ({
      silentMs: watch.silentMs(),
      refusedMs: refusedMs(pool),
      isWritable,
      clockAheadMs: shared.aheadMs(),
    }),
    now: () => shared.now(),
    begun: watch.begun,
    [Symbol.dispose]: () => {
      watch[Symbol.dispose]()
    },
  }
}
