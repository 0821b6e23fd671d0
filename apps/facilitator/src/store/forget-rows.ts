import { forgetText, type PastRows } from '@ergon/process'
import type { Pool } from 'pg'
import { ask } from './ask.ts'

/** Deletes so many rows at the most; answers how many. `values` are what the rows' condition is given. */
export async function forgetRows(
  pool: Pool,
  name: string,
  past: PastRows,
  limit: number,
  values: readonly unknown[] = [],
): Promise<number> {
  const text = `with gone as (${forgetText(past)} returning 1) select count(*)::int as count from gone`
  const [row] = await ask<{ count: number }>(pool, name, text, [limit, ...values])
  return row?.count ?? 0
}
