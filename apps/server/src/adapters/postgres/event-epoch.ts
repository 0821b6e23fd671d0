import type { Pool } from 'pg'

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
