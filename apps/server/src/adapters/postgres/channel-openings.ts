import type { ChannelOpenings, Opening } from '@ergon/core'
import type { Pool } from 'pg'
import { createCounting } from './counting-transaction.ts'
import { sayingBusy } from './trouble.ts'

type Row = {
  readonly channel_id: string
  readonly task_id: string
  readonly wallet: string
  readonly payer: string
  readonly worker: string
  readonly network: string
  readonly token: string
  readonly decimals: number
  readonly wire: string
  readonly signature: string
  readonly last_valid_height: bigint
  readonly at: Date
}

/** Any constant will do: openings are counted one after the other. */
const openingLock = 7_210_463
/** Nothing is done about an opening before so long. */
const firstLookMs = 900_000

/** Openings of channels that this deployment has signed. */
export function createChannelOpenings(pool: Pool): ChannelOpenings {
  const count = createCounting(pool)
  return sayingBusy({
    record: (one, limits) =>
      count(one.wallet, async (client) => {
        await client.query('select pg_advisory_xact_lock($1)', [openingLock])
        const { rows } = await client.query<{ known: boolean; each: bigint; in_all: bigint }>({
          name: 'openings-count',
          text: countText,
          values: [one.channelId, one.wallet, limits.inAll],
        })
        const [count] = rows
        if (count?.known === true) return { keep: false, answer: 'known' }
        if (count === undefined || count.each >= limits.each || count.in_all >= limits.inAll)
          return { keep: false, answer: 'full' }
        await client.query(insertText, [...valuesOf(one)])
        return { keep: true, answer: 'recorded' }
      }),
    async find(channelId) {
      const { rows } = await pool.query<Row>('select * from channel_openings where channel_id = $1', [channelId])
      return rows.map(toOpening)[0] ?? null
    },
    async lease(now, until, limit) {
      const { rows } = await pool.query<Row>({
        name: 'openings-lease',
        text: `update channel_openings set due_at = $2 where channel_id = any(array(
            select channel_id from channel_openings where due_at <= $1 order by due_at limit $3 for update skip locked))
          returning *`,
        values: [now, until, limit],
      })
      return rows.map(toOpening)
    },
    async forget(channelId) {
      await pool.query('delete from channel_openings where channel_id = $1', [channelId])
    },
  })
}

/** The second count reads no further than the limit. */
const countText = `select exists (select from channel_openings where channel_id = $1) as known,
  (select count(*) from channel_openings where wallet = $2) as each,
  (select count(*) from (select from channel_openings limit $3) as live) as in_all`

const insertText = `insert into channel_openings (channel_id, task_id, wallet, payer, worker, network, token, decimals,
    wire, signature, last_valid_height, at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

function valuesOf(one: Opening): readonly unknown[] {
  const { network, symbol, decimals } = one.asset
  const due = new Date(one.at.getTime() + firstLookMs)
  return [
    ...[one.channelId, one.taskId, one.wallet, one.payer, one.worker, network, symbol, decimals, one.wire],
    ...[one.signature, one.lastValidHeight, one.at, due],
  ]
}

function toOpening(row: Row): Opening {
  return {
    channelId: row.channel_id,
    taskId: row.task_id,
    wallet: row.wallet,
    payer: row.payer,
    worker: row.worker,
    asset: { network: row.network, symbol: row.token, decimals: row.decimals },
    wire: row.wire,
    signature: row.signature,
    lastValidHeight: row.last_valid_height,
    at: row.at,
  }
}
