import { MarketError, portfolioPerDay, type PortfolioBudget } from '@ergon/core'
import type { Pool } from 'pg'
import { createDayCounts, digestOf, type DayCount } from './day-counts.ts'
import { sayingBusy } from './trouble.ts'
import { dayBudgets } from './budget-names.ts'

const { what, all } = dayBudgets.portfolio_pictures

type PortfolioLimits = {
  readonly ofWorker: number
  readonly toPublisher: number
  readonly pictures: { readonly ofWallet: number; readonly ofAddress: number; readonly inAll: number }
}

/** Asks and pictures of a day, counted in PostgreSQL beside the registrations (decision 0256). */
export function createPortfolioBudget(
  pool: Pool,
  { ofWorker, toPublisher, pictures }: PortfolioLimits = portfolioPerDay,
): PortfolioBudget {
  const takeToday = createDayCounts(pool)
  return sayingBusy<PortfolioBudget>({
    async take({ wallet, from }, ask) {
      const asks: readonly DayCount[] = [
        { by: 'wallet', counted: digestOf(`portfolio asks of ${wallet}`), amount: 1, limit: ofWorker },
        { by: 'address', counted: digestOf(`portfolio asks to ${ask.publisher}`), amount: 1, limit: toPublisher },
      ]
      const amount = ask.pictures
      const made: readonly DayCount[] = [
        { by: 'wallet', counted: digestOf(`${what} of ${wallet}`), amount, limit: pictures.ofWallet },
        ...(from === undefined
          ? []
          : [
              {
                by: 'address',
                counted: digestOf(`${what} from ${from}`),
                amount,
                limit: pictures.ofAddress,
              } as const,
            ]),
        { by: 'all', counted: all, amount, limit: pictures.inAll },
      ]
      const spent = await takeToday({ counts: amount === 0 ? asks : [...asks, ...made] })
      if (spent === null) return
      const { limit, reset, secondsLeft } = spent
      throw new MarketError(
        'RATE_LIMITED',
        { limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft },
        { message: 'As much work was asked to be shown today as a day takes.' },
      )
    },
  })
}
