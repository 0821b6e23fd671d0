import type { Pool, QueryConfig } from 'pg'

export type DatabaseWatch = Disposable & {
  /** What was last seen of the database; how long it has been silent. Asks nothing, so it is answered at once. */
  seen(): DatabaseSight
}

export type DatabaseSight = {
  /** Since the last answer, milliseconds. */
  readonly silentMs: number
  readonly isWritable: boolean
  /** How far the clock of this machine is ahead of the database's, which all servers share; null until it is known. */
  readonly clockAheadMs: number | null
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
export function watchDatabase(pool: Pool, clock: () => number = Date.now): DatabaseWatch {
  let answeredAt = performance.now()
  let isWritable = true
  let clockAheadMs: number | null = null
  let isAsking = false
  const ask = async (): Promise<void> => {
    const [began, beganAt] = [clock(), performance.now()]
    const { rows } = await pool.query<{ now_ms: number; writable: boolean }>(question)
    const [row] = rows
    if (row === undefined) return
    answeredAt = performance.now()
    isWritable = row.writable
    // Half of the way there and back: the database read its clock somewhere between.
    clockAheadMs = began + (answeredAt - beganAt) / 2 - row.now_ms
  }
  const look = (): void => {
    if (isAsking) return
    isAsking = true
    // Silence is what this reports.
    void ask()
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
      })
  }
  look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    seen: () => ({ silentMs: performance.now() - answeredAt, isWritable, clockAheadMs }),
    [Symbol.dispose]: () => {
      clearInterval(timer)
    },
  }
}
