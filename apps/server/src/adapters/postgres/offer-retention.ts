import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'

type OfferRetention = {
  /** Forgets so many offers at most that came to nothing before then; answers how many. */
  readonly forget: (before: Date, limit: number) => Promise<number>
}

/**
 * Offers that came to nothing (decision 0201). While a task goes on its offers are counted, and one that was settled is
 * the warrant by which money moved: neither is forgotten.
 */
export function createOfferRetention(pool: Pick<Pool, 'query'>): OfferRetention {
  return { forget: (before, limit) => forgetRows(pool, cameToNothing, limit, [before]) }
}

const cameToNothing = {
  table: 'settlement_offers',
  where: `status in ('refused', 'withdrawn', 'expired') and ended_at < $2 and exists (
    select from tasks t where t.id = settlement_offers.task_id and t.status in ('completed', 'cancelled', 'expired'))`,
  order: 'ended_at',
}
