import { createHmac } from 'node:crypto'
import { newcomerShares } from '@ergon/core'
import type { Pool } from 'pg'
import { createDayCounts, type DayCount } from './day-counts.ts'
import { createIsProven, type IsProven } from './proven-wallets.ts'
import { sayingBusy } from './trouble.ts'

/** Mails in a UTC day to one wallet and to one mailbox, and in an hour in all. */
export type MailLimits = { readonly perWallet: number; readonly perMailbox: number; readonly perHour: number }
type Addressee = { readonly wallet: string; readonly address: string }
export type MailBudget = {
  /** Counts a mail; the milliseconds until the next may be sent when there is no room for it, or null. */
  take(what: 'confirmation' | 'notice', addressee: Addressee): Promise<number | null>
}

const hourMs = 3_600_000

/** Counts in PostgreSQL, so that neither a restart nor a second process begins anew; whom, the table does not tell. */
export function createMailBudget(
  pool: Pool,
  { key, limits, now }: { readonly key: Uint8Array; readonly limits: Limits; readonly now: () => Date },
  isProven: IsProven = createIsProven(pool),
): MailBudget {
  const counted = (text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, 32)
  const takeToday = createDayCounts(pool)
  return sayingBusy<MailBudget>({
    async take(what, { wallet, address }) {
      const at = now().getTime()
      const { perWallet, perMailbox, perHour } = limits[what]
      const hour = `${what} in ${String(Math.floor(at / hourMs))}`
      // An hour is short enough: nothing of its share is dealt out later.
      const share = newcomerShares({ ofAddress: 0, inAll: perHour }) ?? undefined
      const counts: readonly DayCount[] = [
        { by: 'wallet', counted: counted(`${what} of ${wallet}`), amount: 1, limit: perWallet },
        { by: 'address', counted: counted(`${what} to ${mailboxOf(address)}`), amount: 1, limit: perMailbox },
        ...(share === undefined || (await isProven(wallet))
          ? []
          : [{ by: 'newcomers', counted: counted(`${hour} by newcomers`), amount: 1, limit: share.inAll } as const]),
        { by: 'all', counted: counted(hour), amount: 1, limit: perHour },
      ]
      const spent = await takeToday({ counts })
      if (spent === null) return null
      return spent.by === 'all' || spent.by === 'newcomers' ? hourMs - (at % hourMs) : spent.secondsLeft * 1_000
    },
  })
}

type Limits = Readonly<Record<'confirmation' | 'notice', MailLimits>>

/** Addresses of one mailbox count together: what follows a plus, dots and capitals are spellings of it with many. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).split('+', 1)[0] ?? ''
  return `${local.replaceAll('.', '')}${address.slice(at)}`.toLowerCase()
}
