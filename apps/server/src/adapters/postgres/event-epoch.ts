import type { Pool, PoolClient } from 'pg'
import { cutOff } from './pool.ts'

/** `future`: the tables name transactions the cluster has yet to reach; `cluster`: it is another one, or went back. */
export type EpochReason = 'future' | 'cluster' | 'restart' | 'asked'

/**
 * Makes sure that what is written from now on lies behind every place that was handed out: where the database may have
 * gone back, a new epoch begins (decision 0115). Answers why one was begun, or null.
 */
export async function keepEventEpoch(pool: Pool, wanted: 'asked' | null = null): Promise<EpochReason | null> {
  const { rows } = await pool.query<{ reason: EpochReason | null }>('select keep_event_epoch($1::text) as reason', [
    wanted,
  ])
  return rows[0]?.reason ?? null
}

/** Whether what is in the database may be older than what was told to others. */
export function isRestored(reason: EpochReason | null): reason is 'future' | 'cluster' {
  return reason === 'future' || reason === 'cluster'
}

/** What is known of a database that may have forgotten what it told (decision 0280). */
export type EpochWatch = Disposable & {
  /** When it was seen last to have gone back, unix seconds by the clock of the database; null: never. */
  wentBackAt(): number | null
  /** Whether `restore-check` has yet to look at what was lost. */
  isUnchecked(): boolean
}

type Seen = { readonly went_back_at: number | null; readonly is_unchecked: boolean }

// A standby is read only: whoever promotes it gets new connections.
const keep = 'select case when pg_is_in_recovery() then null else keep_event_epoch(null) end as reason'
// A statement of its own: the one before does not see what its function wrote.
const question = `select extract(epoch from went_back_at)::float8 as went_back_at,
    went_back_at is not null and (checked_at is null or checked_at < went_back_at) as is_unchecked
  from event_epoch`
const everyMs = 10_000

/**
 * Every new connection asks where its database is before anything is written over it: a failover cuts all that there
 * were, so nothing is written behind a place that the database before it handed out. A connection that cannot ask is
 * cut.
 */
export function watchEpoch(pool: Pool, onEpoch: (reason: EpochReason) => void): EpochWatch {
  let seen: Seen = { went_back_at: null, is_unchecked: false }
  const saw = ({ rows: [row] }: { readonly rows: readonly Seen[] }): void => {
    if (row !== undefined) seen = row
  }
  const ask = (client: PoolClient): void => {
    // Both are on their way before anything else is: what follows them is written after them.
    const kept = client.query<{ reason: EpochReason | null }>(keep).then(({ rows }) => {
      const reason = rows[0]?.reason ?? null
      if (reason !== null) onEpoch(reason)
    })
    Promise.all([kept, client.query<Seen>(question).then(saw)]).catch(() => {
      cutOff(client)
    })
  }
  pool.on('connect', ask)
  const look = (): void => {
    pool.query<Seen>(question).then(saw, () => undefined) // asked again soon
  }
  look()
  // Whoever has run `restore-check` meanwhile is believed without a restart.
  const timer = setInterval(() => {
    if (seen.is_unchecked) look()
  }, everyMs)
  timer.unref()
  return {
    wentBackAt: () => seen.went_back_at,
    isUnchecked: () => seen.is_unchecked,
    [Symbol.dispose]: () => {
      clearInterval(timer)
      pool.off('connect', ask)
    },
  }
}

/** Notes that `restore-check` has read to the end what the chains say. */
export async function noteChecked(pool: Pool): Promise<void> {
  await pool.query('update event_epoch set checked_at = clock_timestamp()')
}
