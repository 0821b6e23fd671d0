import type { Pool } from 'pg'
import { ask } from './ask.ts'

export type OpenIntents = { readonly network: string; readonly open: number; readonly oldestSeconds: number | null }

/** By the index of what is open; a long queue costs no more than a thousand rows of each network. */
const text = `select n.network, count(i.at)::int as open,
    extract(epoch from clock_timestamp() - min(i.at))::float8 as oldest
  from unnest($1::text[]) as n (network) left join lateral (
    select created_at as at from intents where network = n.network and status = 'sent'
      order by network, account, account_nonce limit 1000) i on true
  group by n.network`

/** What this database says is under way on each network, and since when. */
export async function readOpenIntents(pool: Pool, networks: readonly string[]): Promise<readonly OpenIntents[]> {
  const rows = await ask<{ network: string; open: number; oldest: number | null }>(pool, 'intents-counted', text, [
    networks,
  ])
  return rows.map(({ network, open, oldest }) => ({
    network,
    open,
    oldestSeconds: oldest === null ? null : Math.max(0, oldest),
  }))
}
