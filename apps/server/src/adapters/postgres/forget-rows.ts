import { forgetText, type PastRows } from '@ergon/process'
import type { Pool } from 'pg'

/** Deletes so many rows at the most; answers how many. `values` are what the rows' condition is given. */
export async function forgetRows(
  pool: Pick<Pool, 'query'>,
  past: PastRows,
  limit: number,
  values: readonly unknown[] = [],
): Promise<number> {
  const { rowCount } = await pool.query(forgetText(past), [limit, ...values])
  return rowCount ?? 0
}
