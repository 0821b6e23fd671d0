import { MarketError, type GasPayer, type PaymentBudget } from '@ergon/core'
import type { Pool } from 'pg'
import { createDayCounts, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { sayingBusy } from './trouble.ts'
import { utcDay } from './utc-day.ts'

/** Payments a day that this deployment pays the gas of; 0 is no limit. */
export type PaymentLimits = { readonly perWallet: number; readonly perAddress: number; readonly inAll: number }

export type PaymentCounts = PaymentBudget & {
  /** How many were counted today. */
  today(): Promise<number>
}

const all = 'payments'

/** Locks and direct payments, counted in PostgreSQL and by its clock, beside the registrations (decision 0099). */
export function createPaymentBudget(pool: Pool, limits: PaymentLimits): PaymentCounts {
  const takeToday = createDayCounts(pool)
  return sayingBusy<PaymentCounts>({
    async take(payer, payments) {
      const spent = await takeToday({ counts: countsOf(payer, limits, payments) })
      if (spent !== null) throw refusalOf(spent)
    },
    async today() {
      const { rows } = await pool.query<{ used: number }>({
        name: 'payments-today',
        text: `select used from registration_counts where day = ${utcDay} and counted = $1`,
        values: [all],
      })
      return rows[0]?.used ?? 0
    },
  })
}

function countsOf({ wallet, from }: GasPayer, limits: PaymentLimits, amount: number): readonly DayCount[] {
  return [
    { by: 'wallet', counted: digestOf(`payments of ${wallet}`), amount, limit: limits.perWallet },
    ...(from === undefined
      ? []
      : [{ by: 'address', counted: digestOf(`payments from ${from}`), amount, limit: limits.perAddress } as const]),
    { by: 'all', counted: all, amount, limit: limits.inAll },
  ]
}

function refusalOf({ by, limit, reset, secondsLeft }: Spent): MarketError {
  const details = { by, limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft }
  if (by === 'all')
    return new MarketError('GAS_BUDGET_SPENT', details, {
      message: "This deployment has spent today's gas budget for payments. No money has moved.",
    })
  return new MarketError('RATE_LIMITED', details, {
    message: `Too many payments were started ${by === 'wallet' ? 'by this wallet' : 'from this address'} today. No money has moved.`,
  })
}
