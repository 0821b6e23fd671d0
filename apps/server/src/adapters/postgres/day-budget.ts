import { MarketError, type DayBudget, type DayLimits } from '@ergon/core'
import type { Pool } from 'pg'
import { dayBudgets } from './budget-names.ts'
import { createDayCounts, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { fewOf, newcomerCounts } from './newcomer-counts.ts'
import type { IsProven } from './proven-wallets.ts'
import { sayingBusy } from './trouble.ts'

/** What is counted, and what is said when a count is spent: `who` is by whom or where. */
type Counted = {
  readonly budget: 'pictures' | 'reports'
  readonly limits: DayLimits
  readonly refusal: (who: string) => string
}

/** Counts in PostgreSQL and by its clock, so that neither a restart nor a second process begins anew. */
export function createDayBudget(pool: Pool, { budget, limits, refusal }: Counted, isProven: IsProven): DayBudget {
  const { what, all } = dayBudgets[budget]
  const takeToday = createDayCounts(pool)
  return sayingBusy<DayBudget>({
    async take({ wallet, from }, once) {
      const isNew = limits.inAll > 0 && !(await isProven(wallet))
      const counts: readonly DayCount[] = [
        { by: 'wallet', counted: digestOf(`${what} of ${wallet}`), amount: 1, limit: limits.ofWallet },
        ...(from === undefined
          ? []
          : [
              {
                by: 'address',
                counted: digestOf(`${what} from ${from}`),
                amount: 1,
                limit: limits.ofAddress,
                ...(isNew ? fewOf(limits) : {}),
              } as const,
            ]),
        ...(isNew ? newcomerCounts({ what, from, amount: 1, limits }) : []),
        { by: 'all', counted: all, amount: 1, limit: limits.inAll },
      ]
      const own = once === undefined ? {} : { once: digestOf(`${what} of ${wallet}: ${once}`) }
      const spent = await takeToday({ counts, ...own })
      if (spent !== null) throw refusalOf(spent, refusal)
    },
  })
}

const who = {
  wallet: 'by this wallet',
  address: 'from this address',
  network: 'from this network',
  newcomers: 'by wallets without paid work',
  all: 'here',
} as const

function refusalOf({ by, limit, reset, secondsLeft }: Spent, refusal: Counted['refusal']): MarketError {
  return new MarketError(
    'RATE_LIMITED',
    { by, limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft },
    { message: refusal(who[by]) },
  )
}
