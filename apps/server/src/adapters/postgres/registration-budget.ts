import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { inCountingTransaction } from './counting-transaction.ts'
import { sayingBusy } from './trouble.ts'

/** Registrations a day; 0 is no limit. */
export type RegistrationLimits = { readonly perAddress: number; readonly inAll: number }
export type Asked = { readonly network: string; readonly wallet: string; readonly from?: string }
/** `reset` is when the day ends. */
export type Spent = { readonly by: 'address' | 'all'; readonly limit: number; readonly reset: Date }

export type RegistrationBudget = {
  /** Counts one registration; a wallet that asks again on the same day for the same network is not counted again. Null when it may be made. */
  take(asked: Asked, now: Date): Promise<Spent | null>
  /** How many were counted on the day of `now`. */
  today(now: Date): Promise<number>
  /** Forgets earlier days; answers how many counts. */
  purge(now: Date): Promise<number>
}

const all = 'all'
const dayMs = 86_400_000
const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Who was counted cannot be read from the table: addresses and wallets are not kept. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Counts in PostgreSQL, so that neither a restart nor a second process begins anew (decision 0092). */
export function createRegistrationBudget(pool: Pool, limits: RegistrationLimits): RegistrationBudget {
  const mostOf = (counted: string): number => (counted === all ? limits.inAll : limits.perAddress)
  return sayingBusy<RegistrationBudget>({
    take: ({ network, wallet, from }, now) => inCountingTransaction(pool, async (client) => {
      const day = dayOf(now)
      const { rowCount: isNew } = await client.query({
        name: 'registration-asked',
        text: 'insert into registration_counts (day, counted, used) values ($1, $2, 1) on conflict do nothing',
        values: [day, digestOf(`${network} ${wallet}`)],
      })
      // In one order for everybody, so that two registrations never wait for one another.
      const counted = isNew === 0 ? [] : [...(from === undefined ? [] : [digestOf(`from ${from}`)]), all]
      for (const one of counted) {
        const { rows } = await client.query<{ used: number }>({
          name: 'registration-count',
          text: `insert into registration_counts as c (day, counted, used) values ($1, $2, 1)
            on conflict (day, counted) do update set used = c.used + 1 returning used`,
          values: [day, one],
        })
        const limit = mostOf(one)
        if (limit > 0 && (rows[0]?.used ?? 0) > limit) {
          const reset = new Date(Date.parse(day) + dayMs)
          return { keep: false, answer: { by: one === all ? 'all' : 'address', limit, reset } }
        }
      }
      return { keep: true, answer: null }
    }),
    async today(now) {
      const { rows } = await pool.query<{ used: number }>({ name: 'registrations-today', text: 'select used from registration_counts where day = $1 and counted = $2', values: [dayOf(now), all] })
      return rows[0]?.used ?? 0
    },
    async purge(now) {
      const { rowCount } = await pool.query('delete from registration_counts where day < $1', [dayOf(now)])
      return rowCount ?? 0
    },
  })
}
