import type { Pool } from 'pg'
import { dayBudgets } from './budget-names.ts'
import { createDayCounts, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { forgetRows } from './forget-rows.ts'
import { fewOf, newcomerCounts } from './newcomer-counts.ts'
import type { IsProven } from './proven-wallets.ts'
import { sayingBusy } from './trouble.ts'
import { utcDay } from './utc-day.ts'

/** Registrations a day; 0 is no limit. */
export type RegistrationLimits = { readonly perAddress: number; readonly inAll: number }
export type Asked = { readonly network: string; readonly wallet: string; readonly from?: string }

export type RegistrationBudget = {
  /**
   * Counts one registration; a wallet that asks again on the same day for the same network is not counted again. Null
   * when it may be made.
   */
  take(asked: Asked): Promise<Spent | null>
  /** How many were counted today. */
  today(): Promise<number>
  /** Forgets so many counts of earlier days at the most, of all that is counted by the day; answers how many. */
  purge(limit: number): Promise<number>
}

const { what, all } = dayBudgets.registrations

/**
 * Counts in PostgreSQL and by its clock, so that neither a restart nor a second process begins anew (decision 0092).
 */
export function createRegistrationBudget(
  pool: Pool,
  { perAddress: ofAddress, inAll }: RegistrationLimits,
  isProven: IsProven,
): RegistrationBudget {
  const takeToday = createDayCounts(pool)
  const limits = { ofAddress, inAll }
  return sayingBusy<RegistrationBudget>({
    async take({ network, wallet, from }) {
      const isNew = inAll > 0 && !(await isProven(wallet))
      const few = isNew ? fewOf(limits) : {}
      const counts: readonly DayCount[] = [
        ...(from === undefined
          ? []
          : [{ by: 'address', counted: digestOf(`from ${from}`), amount: 1, limit: ofAddress, ...few } as const]),
        ...(isNew ? newcomerCounts({ what, from, amount: 1, limits }) : []),
        { by: 'all', counted: all, amount: 1, limit: inAll },
      ]
      return takeToday({ once: digestOf(`${network} ${wallet}`), counts })
    },
    async today() {
      const { rows } = await pool.query<{ used: number }>({
        name: 'registrations-today',
        text: `select used from registration_counts where day = ${utcDay} and counted = $1`,
        values: [all],
      })
      return rows[0]?.used ?? 0
    },
    purge: (limit) =>
      forgetRows(pool, { table: 'registration_counts', where: `day < ${utcDay}`, order: 'day, counted' }, limit),
  })
}
