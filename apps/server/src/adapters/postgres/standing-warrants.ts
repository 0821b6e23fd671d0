import type { Pool } from 'pg'
import { fewKeys } from './few-keys.ts'
import { forgetRows } from './forget-rows.ts'
import { sayingBusy } from './trouble.ts'

/** Which of the orders of a grant. */
export type WarrantKey = { readonly grantId: string; readonly chainId: number; readonly token: string }

/** An order as it was signed. */
type SignedOrder = Readonly<Record<string, unknown>>

/** Standing orders by the grant they were signed for. */
export type StandingWarrants = {
  /** Keeps an order whose signature was checked; a later one for the same grant, chain and token takes its place. */
  keep(key: WarrantKey & { readonly wallet: string }, order: object, goodUntil: Date): Promise<void>
  /** The order as it was signed; null where there is none that is good now. */
  find(key: WarrantKey): Promise<SignedOrder | null>
  /** Orders whose grant was taken back, each for one attempt; the next is a while later. */
  leaseTakenBack(limit: number): Promise<readonly (WarrantKey & { readonly order: SignedOrder })[]>
  forget(key: WarrantKey): Promise<void>
  /** Forgets orders whose time is over; answers how many. */
  purge(limit: number): Promise<number>
}

export function createStandingWarrants(pool: Pool): StandingWarrants {
  return sayingBusy({
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
      const { rows } = await pool.query<{ standing_order: SignedOrder }>({
        name: 'warrant-find',
        text: `select standing_order from standing_warrants
          where grant_id = $1 and chain_id = $2 and token = $3 and good_until > now() and taken_back_due is null`,
        values: [grantId, chainId, token.toLowerCase()],
      })
      return rows[0]?.standing_order ?? null
    },
    async leaseTakenBack(limit) {
      type Row = { grant_id: string; chain_id: bigint; token: string; standing_order: SignedOrder }
      const { rows } = await pool.query<Row>({
        name: 'warrant-lease-taken-back',
        text: `with leased as materialized (
            select grant_id, chain_id, token from standing_warrants
            where taken_back_due <= now() and good_until > now()
            order by taken_back_due limit $1 for update skip locked)
          update standing_warrants w set taken_back_tries = w.taken_back_tries + 1,
            taken_back_due = now() + least(w.taken_back_tries + 1, 4) * interval '15 seconds'
          from ${fewKeys('leased', ['grant_id', 'chain_id', 'token'])} due
          where w.grant_id = due.grant_id and w.chain_id = due.chain_id and w.token = due.token
          returning w.grant_id, w.chain_id, w.token, w.standing_order`,
        values: [limit],
      })
      return rows.map(({ grant_id, chain_id, token, standing_order }) => ({
        grantId: grant_id,
        chainId: Number(chain_id),
        token,
        order: standing_order,
      }))
    },
    async forget({ grantId, chainId, token }) {
      await pool.query({
        name: 'warrant-forget',
        text: 'delete from standing_warrants where grant_id = $1 and chain_id = $2 and token = $3',
        values: [grantId, chainId, token.toLowerCase()],
      })
    },
    purge: (limit) =>
      forgetRows(pool, { table: 'standing_warrants', where: 'good_until < now()', order: 'good_until' }, limit),
  })
}
