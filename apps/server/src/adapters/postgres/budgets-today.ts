import { newcomerShares, picturesPerDay, portfolioPerDay, reportsPerDay } from '@ergon/core'
import type { Pool } from 'pg'
import { clientsADay } from './oauth-store.ts'
import type { PaymentLimits } from './payment-budget.ts'
import type { RegistrationLimits } from './registration-budget.ts'
import { sayingBusy } from './trouble.ts'
import { utcDay } from './utc-day.ts'

/** What a budget in all has used today, and what it has; 0 is no limit. */
export type BudgetToday = { readonly budget: string; readonly used: number; readonly limit: number }

type Row = { readonly budget: string; readonly counted: string; readonly limit: number }
type Limits = { readonly ofAddress: number; readonly inAll: number }

/** A budget and what of it newcomers share, under the names that they are counted by. */
function withNewcomers(budget: string, what: string, all: string, limits: Limits, kept?: number): readonly Row[] {
  const share = newcomerShares(limits, kept)
  return [
    { budget, counted: all, limit: limits.inAll },
    ...(share === null
      ? []
      : [{ budget: `${budget}_of_newcomers`, counted: `${what} of newcomers`, limit: share.inAll }]),
  ]
}

const limitsOf = ({ perAddress, inAll }: Omit<RegistrationLimits, 'perWallet'>): Limits => ({
  ofAddress: perAddress,
  inAll,
})

/** Every budget of a day that a crowd could use up, for the figures. */
export function createBudgetsToday(
  pool: Pool,
  { registrations, payments }: { readonly registrations: RegistrationLimits; readonly payments: PaymentLimits },
): () => Promise<readonly BudgetToday[]> {
  const rows = [
    ...withNewcomers('registrations', 'registrations', 'all', limitsOf(registrations)),
    ...withNewcomers('payments', 'payments', 'payments', limitsOf(payments)),
    ...withNewcomers('reports', 'reports', 'reports', reportsPerDay),
    ...withNewcomers('pictures', 'pictures', 'pictures', picturesPerDay),
    ...withNewcomers('tools', 'oauth clients', 'oauth clients', clientsADay, 0),
    { budget: 'portfolio_pictures', counted: 'portfolio pictures', limit: portfolioPerDay.pictures.inAll },
  ]
  const { read } = sayingBusy({
    async read() {
      const found = await pool.query<{ counted: string; used: number }>({
        name: 'budgets-today',
        text: `select counted, used from registration_counts where day = ${utcDay} and counted = any($1)`,
        values: [rows.map(({ counted }) => counted)],
      })
      const used = new Map(found.rows.map((row) => [row.counted, row.used]))
      return rows.map(({ budget, counted, limit }) => ({ budget, used: used.get(counted) ?? 0, limit }))
    },
  })
  return read
}
