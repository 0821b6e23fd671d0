import { createHash } from 'node:crypto'
import { dayEnd, dayEndColumns, utcDay, type DayEnd, type DayEndRow } from './utc-day.ts'
import type { TransactionLine } from './transaction-line.ts'

/** What is counted today, by whom it is counted against, and the most there may be; 0 is no limit. */
export type DayCount = { readonly by: SpentBy; readonly counted: string; readonly limit: number }
export type SpentBy = 'wallet' | 'address' | 'all'
/** `reset` is when the day ends. */
export type Spent = DayEnd & { readonly by: SpentBy; readonly limit: number }

/** Who was counted cannot be read from the table: addresses and wallets are not kept. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/**
 * Adds `amount` to each in turn; the first that passes its limit. Given in one order by everybody, so that two never
 * wait for one another.
 */
export async function countToday(
  client: TransactionLine,
  counts: readonly DayCount[],
  amount: number,
): Promise<Spent | null> {
  for (const { by, counted, limit } of counts) {
    const {
      rows: [row],
    } = await client.query<DayEndRow & { readonly used: number }>({
      name: 'count-today',
      text: `insert into registration_counts as c (day, counted, used) values (${utcDay}, $1, $2)
        on conflict (day, counted) do update set used = c.used + excluded.used returning used, ${dayEndColumns}`,
      values: [counted, amount],
    })
    if (row !== undefined && limit > 0 && row.used > limit) return { by, limit, ...dayEnd(row) }
  }
  return null
}
