import type { Pool } from 'pg'

type OfferRetention = {
  /** Forgets so many offers at most that came to nothing before then; answers how many. */
  readonly forget: (before: Date, limit: number) => Promise<number>
}

/**
 * Offers that came to nothing (decision 0201). While a task goes on its offers are counted, and one that was settled is
 * the warrant by which money moved: neither is forgotten.
 */
export function createOfferRetention(pool: Pick<Pool, 'query'>): OfferRetention {
  return {
    async forget(before, limit) {
      const { rowCount } = await pool.query({
        name: 'offers-forget',
        text: `delete from settlement_offers where id in (
            select o.id from settlement_offers o join tasks t on t.id = o.task_id
            where o.status in ('refused', 'withdrawn', 'expired') and o.ended_at < $1
              and t.status in ('completed', 'cancelled', 'expired')
            order by o.ended_at limit $2)`,
        values: [before, limit],
      })
      return rowCount ?? 0
    },
  }
}
