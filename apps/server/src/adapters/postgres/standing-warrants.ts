import type { Pool } from 'pg'

/** Which of the orders of a grant. */
export type WarrantKey = { readonly grantId: string; readonly chainId: number; readonly token: string }

/** Standing orders by the grant they were signed for. */
export type StandingWarrants = {
  /** Keeps an order whose signature was checked; a later one for the same grant, chain and token takes its place. */
  keep(key: WarrantKey & { readonly wallet: string }, order: object, goodUntil: Date): Promise<void>
  /** The order as it was signed; null where there is none that is good now. */
  find(key: WarrantKey): Promise<Readonly<Record<string, unknown>> | null>
  /** Forgets orders whose time is over; answers how many. */
  purge(limit: number): Promise<number>
}

export function createStandingWarrants(pool: Pool): StandingWarrants {
  return {
    async keep({ grantId, wallet, chainId, token }, order, goodUntil) {
      await pool.query({
        name: 'warrant-keep',
        text: `insert into standing_warrants (grant_id, chain_id, token, standing_order, good_until, wallet)
          values ($1, $2, $3, $4, $5, $6) on conflict (grant_id, chain_id, token)
          do update set standing_order = excluded.standing_order, good_until = excluded.good_until`,
        values: [grantId, chainId, token.toLowerCase(), JSON.stringify(order), goodUntil, wallet],
      })
    },
    async find({ grantId, chainId, token }) {
      const { rows } = await pool.query<{ standing_order: Readonly<Record<string, unknown>> }>({
        name: 'warrant-find',
        text: `select standing_order from standing_warrants
          where grant_id = $1 and chain_id = $2 and token = $3 and good_until > now()`,
        values: [grantId, chainId, token.toLowerCase()],
      })
      return rows[0]?.standing_order ?? null
    },
    async purge(limit) {
      const { rowCount } = await pool.query({
        name: 'warrant-purge',
        text: `delete from standing_warrants where (grant_id, chain_id, token) in (
          select grant_id, chain_id, token from standing_warrants where good_until < now()
          order by good_until limit $1)`,
        values: [limit],
      })
      return rowCount ?? 0
    },
  }
}
