import { Refusal } from '../errors.ts'
import type { Database, Query } from './database.ts'

/** How many openings and top-ups of a day the operator pays the fees of. */
export type SponsoredLimits = { readonly payer: number; readonly address: number; readonly all: number }

/**
 * Counts one against the day of the database (UTC), for its payer, for the address it came from, and in all; within the
 * transaction that records what is sent, so that what is not recorded is not counted.
 *
 * @throws Refusal `sponsorship_spent` when a limit is reached.
 */
export async function countSponsored(
  query: Query,
  limits: SponsoredLimits,
  who: { readonly payer: string; readonly address: string },
): Promise<void> {
  const full = await countIn(
    query,
    new Map([
      ['all', limits.all],
      [`address ${who.address}`, limits.address],
      [`payer ${who.payer}`, limits.payer],
    ]),
  )
  if (full === undefined) return
  const whose = full.counted === 'all' ? 'of this gateway' : `of one ${full.counted.split(' ', 1)[0] ?? ''}`
  throw new Refusal(429, 'sponsorship_spent', `the openings and top-ups ${whose} are used up for today`, {
    retryAfterSec: full.left_sec,
  })
}

/** A transaction that never lands is made again, and its account with it. */
const accountsOfPayer = 3
/** Some 0.1 SOL. */
const accountsOfDay = 50

/** Counts a token account that is made for a payer; false where none may be made today. */
export async function countAccount(database: Pick<Database, 'transaction'>, payer: string): Promise<boolean> {
  const most = new Map([
    ['accounts', accountsOfDay],
    [`account ${payer}`, accountsOfPayer],
  ])
  return database
    .transaction(async (query) => {
      if ((await countIn(query, most)) !== undefined) throw new Spent()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof Spent) return false
      throw error
    })
}

/** Takes back what was counted. */
class Spent extends Error {}

type Full = { readonly counted: string; readonly left_sec: number }

/** One more of each; answers one that is past its most. */
async function countIn(query: Query, most: ReadonlyMap<string, number>): Promise<Full | undefined> {
  const rows = await query<{ counted: string; used: number; left_sec: number }>(
    `insert into sponsored as s (day, counted, used)
       select (now() at time zone 'utc')::date, counted, 1 from unnest($1::text[]) as counted order by counted
     on conflict (day, counted) do update set used = s.used + 1
     returning counted, used, ceil(86400 - extract(epoch from (now() at time zone 'utc')::time))::int as left_sec`,
    [[...most.keys()]],
  )
  return rows.find(({ counted, used }) => used > (most.get(counted) ?? 0))
}
