import { MarketError, type GasPayer, type PaymentBudget } from '@ergon/core'
import type { Pool } from 'pg'
import { dayBudgets } from './budget-names.ts'
import { createDayCounts, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { fewOf, newcomerCounts } from './newcomer-counts.ts'
import type { IsProven } from './proven-wallets.ts'
import { sayingBusy } from './trouble.ts'
import { utcDay } from './utc-day.ts'

/** Payments a day that this deployment pays the gas of; 0 is no limit. */
export type PaymentLimits = { readonly perWallet: number; readonly perAddress: number; readonly inAll: number }

export type PaymentCounts = PaymentBudget & {
  /** How many were counted today. */
  today(): Promise<number>
}

const { what, all } = dayBudgets.payments

/** Locks and direct payments, counted in PostgreSQL and by its clock, beside the registrations (decision 0099). */
export function createPaymentBudget(pool: Pool, limits: PaymentLimits, isProven: IsProven): PaymentCounts {
  const takeToday = createDayCounts(pool)
  return sayingBusy<PaymentCounts>({
    async take(payer, payments) {
      const isNew = limits.inAll > 0 && !(await isProven(payer.wallet))
      const spent = await takeToday({ counts: countsOf(payer, limits, payments, isNew) })
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

function countsOf(
  { wallet, from }: GasPayer,
  { perWallet, perAddress, inAll }: PaymentLimits,
  amount: number,
  isNew: boolean,
): readonly DayCount[] {
  const limits = { ofAddress: perAddress, inAll }
  const few = isNew ? fewOf(limits) : {}
  return [
    { by: 'wallet', counted: digestOf(`${what} of ${wallet}`), amount, limit: perWallet },
    ...(from === undefined
      ? []
      : [{ by: 'address', counted: digestOf(`${what} from ${from}`), amount, limit: perAddress, ...few } as const]),
    ...(isNew ? newcomerCounts({ what, from, amount, limits }) : []),
    { by: 'all', counted: all, amount, limit: inAll },
  ]
}

function refusalOf({ by, limit, reset, secondsLeft }: Spent): MarketError {
  const details = { by, limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft }
  if (by === 'all' || by === 'newcomers')
    return new MarketError('GAS_BUDGET_SPENT', details, {
      message:
        by === 'all'
          ? "This deployment has spent today's gas budget for payments. No money has moved."
          : 'Wallets without paid work have begun as many payments as this deployment pays for by now. No money has moved.',
    })
  return new MarketError('RATE_LIMITED', details, {
    message: `Too many payments were started ${who[by]} today. No money has moved.`,
  })
}

const who = { wallet: 'by this wallet', address: 'from this address', network: 'from this network' } as const
