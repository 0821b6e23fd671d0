import { newcomerShares, picturesPerDay, portfolioPerDay, reportsPerDay } from '@ergon/core'
import type { Pool } from 'pg'
import { countedOfNewcomers, dayBudgets } from './budget-names.ts'
import { clientsADay } from './oauth-store.ts'
import type { PaymentLimits } from './payment-budget.ts'
import type { RegistrationLimits } from './registration-budget.ts'
import { sayingBusy } from './trouble.ts'
import { utcDay } from './utc-day.ts'

/** What a budget in all has used today, and what it has; 0 is no limit. */
export type BudgetToday = { readonly budget: string; readonly used: number; readonly limit: number }

type Row = { readonly budget: string; readonly counted: string; readonly limit: number }
type Limits = { readonly ofAddress: number; readonly inAll: number }

/** A budget and what of it newcomers share. */
function withNewcomers(budget: keyof typeof dayBudgets, limits: Limits, kept?: number): readonly Row[] {
  const { what, all } = dayBudgets[budget]
  const share = newcomerShares(limits, kept)
  return [
    { budget, counted: all, limit: limits.inAll },
    ...(share === null
      ? []
      : [{ budget: `${budget}_of_newcomers`, counted: countedOfNewcomers(what), limit: share.inAll }]),
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
    ...withNewcomers('registrations', limitsOf(registrations)),
    ...withNewcomers('payments', limitsOf(payments)),
    ...withNewcomers('reports', reportsPerDay),
    ...withNewcomers('pictures', picturesPerDay),
    ...withNewcomers('tools', clientsADay, 0),
    { budget: 'portfolio_pictures', counted: dayBudgets.portfolio_pictures.all, limit: portfolioPerDay.pictures.inAll },
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
