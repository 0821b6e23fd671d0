import type { Delivered, Delivery } from '@ergon/solana-ledger'
import type { Query } from './database.ts'

export type TransactionKind = 'open' | 'topUp' | 'close' | 'reclaim'

/** A transaction as it was recorded before it was first sent. */
export type Sent = Delivery & { readonly settles: bigint | null }

/** Records what is about to be sent. @returns false for bytes that are recorded already. */
export async function recordSent(
  query: Query,
  terms: { readonly channelId: string; readonly kind: TransactionKind; readonly sent: Sent },
): Promise<boolean> {
  const { channelId, kind, sent } = terms
  const made = await query(
    `insert into transactions (signature, channel_id, kind, wire, last_valid_height, settles)
     values ($1, $2, $3, $4, $5, $6) on conflict (signature) do nothing returning 1 as made`,
    [sent.signature, channelId, kind, Buffer.from(sent.wire), sent.lastValidBlockHeight, sent.settles],
  )
  return made.length > 0
}

/** The newest transaction of a kind whose end is not known. */
export async function findSent(query: Query, channelId: string, kind: TransactionKind): Promise<Sent | undefined> {
  const [row] = await query<{ signature: string; wire: Buffer; last_valid_height: string; settles: string | null }>(
    `select signature, wire, last_valid_height, settles from transactions
     where channel_id = $1 and kind = $2 and state = 'sent' order by sent_at desc limit 1`,
    [channelId, kind],
  )
  if (row === undefined) return undefined
  return {
    signature: row.signature,
    wire: new Uint8Array(row.wire),
    lastValidBlockHeight: BigInt(row.last_valid_height),
    settles: row.settles === null ? null : BigInt(row.settles),
  }
}

/**
 * Takes top-ups whose end is not known and whose caller has given up or is gone; nobody else gets them for a while.
 */
export async function leaseTopUps(query: Query, limit: number): Promise<readonly (Delivery & ChannelOf)[]> {
  const rows = await query<{ signature: string; channel_id: string; wire: Buffer; last_valid_height: string }>(
    `update transactions set pursue_at = now() + interval '30 seconds' where signature in (
       select signature from transactions where kind = 'topUp' and state = 'sent' and pursue_at < now()
       order by pursue_at limit ${limit} for update skip locked)
     returning signature, channel_id, wire, last_valid_height`,
  )
  return rows.map(({ signature, channel_id: channelId, wire, last_valid_height: height }) => ({
    ...{ channelId, signature, wire: new Uint8Array(wire), lastValidBlockHeight: BigInt(height) },
  }))
}
type ChannelOf = { readonly channelId: string }

/**
 * Whether one of a kind that the ledger refused was sent so lately that the next has to wait: each costs a fee. The
 * wait doubles from twenty seconds to five minutes, so that a payer's grace period still sees several.
 */
export async function isTooSoon(query: Query, channelId: string, kind: TransactionKind): Promise<boolean> {
  const [row] = await query<{ is_too_soon: boolean | null }>(
    `select max(sent_at) > now() - least(300, 10 * power(2, least(count(*), 9))) * interval '1 second' as is_too_soon
     from transactions where channel_id = $1 and kind = $2 and state = 'refused'`,
    [channelId, kind],
  )
  return row?.is_too_soon === true
}

/** Books how a transaction ended; one whose end is open stays as it is. */
export async function noteEnd(query: Query, signature: string, delivered: Delivered): Promise<void> {
  if (delivered.end === 'undecided') return
  const error = delivered.end === 'landed' ? delivered.status.error : null
  const state = delivered.end === 'expired' ? 'expired' : error === null ? 'landed' : 'refused'
  await query('update transactions set state = $2, error = $3 where signature = $1', [
    signature,
    state,
    error === null ? null : JSON.stringify(error),
  ])
}
