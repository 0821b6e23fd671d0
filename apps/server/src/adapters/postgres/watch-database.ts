import type { Pool, QueryConfig } from 'pg'
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

const everyMs = 2_000

// A statement may bring its own patience, which the types of the driver do not know.
const question: QueryConfig & { readonly query_timeout: number } = {
  name: 'database-watch',
  text: `select 1 as one, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
    current_setting('transaction_read_only') = 'off' as writable`,
  query_timeout: 2_000,
}

/** Asks every two seconds whether the database answers, can be written, and what time it has. */
export function watchDatabase(
  pool: Pool,
  { clock = Date.now, onSilence = () => undefined }: WatchOptions = {},
): DatabaseWatch {
  let answeredAt = performance.now()
  let isWritable = true
  const shared = createSharedClock(clock)
  let isAsking = false
  const ask = async (): Promise<void> => {
    const beganAt = performance.now()
    const { rows } = await pool.query<{ now_ms: number; writable: boolean }>(question)
    const [row] = rows
    if (row === undefined) return
    answeredAt = performance.now()
    isWritable = row.writable
    shared.saw({ beganAt, answeredAt, nowMs: row.now_ms })
  }
  const look = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    // Silence is what this reports.
    await ask().catch(onSilence)
    isAsking = false
  }
  const begun = look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    seen: () => ({ silentMs: performance.now() - answeredAt, isWritable, clockAheadMs: shared.aheadMs() }),
    now: () => shared.now(),
    begun,
    [Symbol.dispose]: () => {
      clearInterval(timer)
    },
  }
}
