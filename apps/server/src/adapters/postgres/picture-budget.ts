import { MarketError, type PictureBudget } from '@ergon/core'
import type { Pool } from 'pg'
import { createDayCounts, digestOf, type DayCount, type Spent } from './day-counts.ts'
import { sayingBusy } from './trouble.ts'

/** Pictures a UTC day; 0 is no limit. */
export type PictureLimits = { readonly ofWallet: number; readonly ofAddress: number; readonly inAll: number }

/** Counts in PostgreSQL and by its clock, so that neither a restart nor a second process begins anew. */
export function createPictureBudget(pool: Pool, limits: PictureLimits): PictureBudget {
  const takeToday = createDayCounts(pool)
  return sayingBusy<PictureBudget>({
    async take({ wallet, from }) {
      const counts: readonly DayCount[] = [
        { by: 'wallet', counted: digestOf(`pictures of ${wallet}`), amount: 1, limit: limits.ofWallet },
        ...(from === undefined
          ? []
          : [
              {
                by: 'address',
                counted: digestOf(`pictures from ${from}`),
                amount: 1,
                limit: limits.ofAddress,
              } as const,
            ]),
        { by: 'all', counted: 'pictures', amount: 1, limit: limits.inAll },
      ]
      const spent = await takeToday({ counts })
      if (spent !== null) throw refusalOf(spent)
    },
  })
}

const who = { wallet: 'by this wallet', address: 'from this address', all: 'here' } as const

function refusalOf({ by, limit, reset, secondsLeft }: Spent): MarketError {
  return new MarketError(
    'RATE_LIMITED',
    { by, limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft },
    { message: `Too many pictures were set ${who[by]} today. The one before is still shown.` },
  )
}
