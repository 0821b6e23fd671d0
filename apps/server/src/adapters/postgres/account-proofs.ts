import type { AccountProof } from '@ergon/core'
import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'
import { sayingBusy } from './trouble.ts'

export type KnownProof = { readonly proof: AccountProof; readonly hasActed: boolean }

export type AccountProofs = {
  /** Null for a wallet that never acted here. */
  find(wallet: string): Promise<KnownProof | null>
  /** What the account proves itself by: the first of any number of calls says it. */
  begin(wallet: string, proof: AccountProof): Promise<KnownProof>
  /** The act took effect, so the account is there to stay. */
  keep(wallet: string): Promise<void>
  /** Forgets so many accounts at the most that began an hour ago and never came to anything; answers how many. */
  purge(limit: number): Promise<number>
}

type Row = { readonly proof: AccountProof; readonly has_acted: boolean }

const unbegun = {
  table: 'account_proofs',
  where: "not has_acted and begun_at < now() - interval '1 hour'",
  order: 'begun_at',
}

const known = ({ proof, has_acted: hasActed }: Row): KnownProof => ({ proof, hasActed })

/** Accounts by what they prove themselves by, in PostgreSQL, for every process alike (decision 0097). */
export function createAccountProofs(pool: Pool): AccountProofs {
  return sayingBusy<AccountProofs>({
    async find(wallet) {
      const { rows } = await pool.query<Row>({
        name: 'account-proof',
        text: 'select proof, has_acted from account_proofs where wallet = $1',
        values: [wallet],
      })
      return rows[0] === undefined ? null : known(rows[0])
    },
    async begin(wallet, proof) {
      const { rows } = await pool.query<Row>({
        name: 'account-begin',
        // An attempt under way keeps the row from being forgotten.
        text: `insert into account_proofs as a (wallet, proof) values ($1, $2)
          on conflict (wallet) do update set begun_at = case when a.has_acted then a.begun_at else now() end
          returning proof, has_acted`,
        values: [wallet, proof],
      })
      const [row] = rows
      if (row === undefined) throw new Error('an upsert answered no row')
      return known(row)
    },
    async keep(wallet) {
      await pool.query({
        name: 'account-keep',
        text: 'update account_proofs set has_acted = true where wallet = $1 and not has_acted',
        values: [wallet],
      })
    },
    purge: (limit) => forgetRows(pool, unbegun, limit),
  })
}
