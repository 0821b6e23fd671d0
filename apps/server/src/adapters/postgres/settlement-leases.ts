import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { toSettlement, type SettlementRow } from './rows.ts'

/** Who works on a settlement, and which refused signatures are looked after. */
export function createSettlementLeases(pool: Pool): Pick<Store, 'renewSettlements' | 'leaseWatched'> {
  return {
    async renewSettlements(held, until) {
      const { rowCount } = await pool.query({
        name: 'settlements-renew',
        text: `update settlements s set due_at = $3 from unnest($1::uuid[], $2::integer[]) as h (id, attempts)
            where s.id = h.id and s.attempts = h.attempts and s.status in ('claimed', 'in_doubt') and s.due_at < $3`,
        values: [held.map(({ id }) => id), held.map(({ attempts }) => attempts), until],
      })
      return rowCount ?? 0
    },
    async leaseWatched(now, until, limit) {
      const { rows } = await pool.query<SettlementRow & { watch_until: Date }>({
        name: 'settlements-watched',
        text: `update settlements set due_at = $2
          where id in (select id from settlements where status = 'refused' and watch_until is not null and due_at <= $1
            order by due_at limit $3 for update skip locked) returning *`,
        values: [now, until, limit],
      })
      return rows.map((row) => ({ ...toSettlement(row), watchUntil: row.watch_until }))
    },
  }
}
