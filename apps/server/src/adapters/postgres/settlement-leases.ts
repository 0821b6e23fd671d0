import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { orderNetwork } from './order-network.ts'
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
    async leaseWatched(network, now, until, limit) {
      const { rows } = await pool.query<SettlementRow & { watch_until: Date }>({
        name: 'settlements-watched',
        text: `update settlements set due_at = $2
          where id = any(array(select s.id from settlements s
            where s.status = 'refused' and s.watch_until is not null and s.due_at <= $1 and ${orderNetwork} = $4
            order by s.due_at limit $3 for update skip locked)) returning *`,
        values: [now, until, limit, network],
      })
      return rows.map((row) => ({ ...toSettlement(row), watchUntil: row.watch_until }))
    },
  }
}
