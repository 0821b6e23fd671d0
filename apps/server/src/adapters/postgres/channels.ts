import type { AcceptedTick, Channel, ChannelStore, ChannelTx, MeterTerms } from '@ergon/core'
import type { Pool, PoolClient } from 'pg'

type TermsRow = { readonly unit: MeterTerms['unit']; readonly price_atomic: bigint; readonly cap_atomic: bigint }
type ChannelRow = {
  readonly id: string
  readonly task_id: string
  readonly executor_id: string
  readonly network: string
  readonly token: string
  readonly decimals: number
  readonly payer: string
  readonly payee: string
  readonly worker: string
  readonly voucher_signer: Channel['voucherSigner']
  readonly status: Channel['status']
  readonly unit: Channel['unit']
  readonly price_atomic: bigint
  readonly limit_atomic: bigint
  readonly deposit_atomic: bigint
  readonly measured: bigint
  readonly cumulative_atomic: bigint
  readonly measured_until: Date
  readonly vouchers: number
  readonly signature: string | null
  readonly bound_at: Date
  readonly updated_at: Date
}
type TickRow = {
  readonly id: string
  readonly channel_id: string
  readonly voucher_index: number
  readonly amount_atomic: bigint
  readonly cumulative_atomic: bigint
  readonly measured: bigint
  readonly signature: string
  readonly evidence: AcceptedTick['evidence']
  readonly note: string | null
  readonly author: string
  readonly idempotency_key: string | null
  readonly body_hash: string | null
  readonly at: Date
}

/** Channels that fund tasks, and what was accepted on them. */
export function createChannels(pool: Pick<Pool, 'query'>): ChannelStore {
  return {
    async meterTerms(taskId) {
      const { rows } = await pool.query<TermsRow>(
        'select unit, price_atomic, cap_atomic from meter_terms where task_id = $1',
        [taskId],
      )
      const [row] = rows
      return row === undefined ? null : { unit: row.unit, price: row.price_atomic, cap: row.cap_atomic }
    },
    async channelOf(taskId) {
      const { rows } = await pool.query<ChannelRow>('select * from channels where task_id = $1', [taskId])
      return rows.map(toChannel)[0] ?? null
    },
    async ticksAfter(channelId, index, limit) {
      const { rows } = await pool.query<TickRow>(
        'select * from channel_ticks where channel_id = $1 and voucher_index > $2 order by voucher_index limit $3',
        [channelId, index, limit],
      )
      return rows.map(toTick)
    },
  }
}

export function createChannelTx(client: PoolClient): ChannelTx {
  return {
    async insertChannel(one) {
      const { rowCount } = await client.query(
        `insert into channels (id, task_id, executor_id, network, token, decimals, payer, payee, worker,
           voucher_signer, status, unit, price_atomic, limit_atomic, deposit_atomic, measured, cumulative_atomic,
           measured_until, vouchers, signature, bound_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
         on conflict do nothing`,
        channelValues(one),
      )
      return rowCount === 1
    },
    async lockChannel(taskId) {
      const { rows } = await client.query<ChannelRow>({
        name: 'channel-lock',
        text: 'select * from channels where task_id = $1 for update',
        values: [taskId],
      })
      return rows.map(toChannel)[0] ?? null
    },
    async tickUnder(channelId, key) {
      const { rows } = await client.query<TickRow>({
        name: 'channel-tick-under',
        text: 'select * from channel_ticks where channel_id = $1 and idempotency_key = $2',
        values: [channelId, key],
      })
      return rows.map(toTick)[0] ?? null
    },
    async addTick(tick, measuredUntil) {
      await client.query({ name: 'channel-tick', text: addTick, values: [...tickValues(tick), measuredUntil] })
    },
  }
}

/** The tick and what it raises, in one statement. */
const addTick = `with tick as (
  insert into channel_ticks (id, channel_id, voucher_index, amount_atomic, cumulative_atomic, measured, signature,
    evidence, note, author, idempotency_key, body_hash, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
)
update channels set vouchers = $3, cumulative_atomic = $5, measured = $6, signature = $7, measured_until = $14,
  updated_at = $13 where id = $2`

function channelValues(one: Channel): unknown[] {
  const { asset } = one
  return [
    ...[one.id, one.taskId, one.executorId, asset.network, asset.symbol, asset.decimals, one.payer, one.payee],
    ...[one.worker, one.voucherSigner, one.status, one.unit, one.price, one.limit, one.deposit, one.measured],
    ...[one.cumulative, one.measuredUntil, one.vouchers, one.signature, one.boundAt, one.updatedAt],
  ]
}

function tickValues(tick: AcceptedTick): unknown[] {
  const { key = null, bodyHash = null } = tick.idempotency ?? {}
  return [
    ...[tick.id, tick.channelId, tick.index, tick.amount, tick.cumulative, tick.measured, tick.signature],
    ...[JSON.stringify(tick.evidence), tick.note, tick.author, key, bodyHash, tick.at],
  ]
}

const toChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  taskId: row.task_id,
  executorId: row.executor_id,
  asset: { symbol: row.token, network: row.network, decimals: row.decimals },
  payer: row.payer,
  payee: row.payee,
  worker: row.worker,
  voucherSigner: row.voucher_signer,
  status: row.status,
  unit: row.unit,
  price: row.price_atomic,
  limit: row.limit_atomic,
  deposit: row.deposit_atomic,
  measured: row.measured,
  cumulative: row.cumulative_atomic,
  measuredUntil: row.measured_until,
  vouchers: row.vouchers,
  signature: row.signature,
  boundAt: row.bound_at,
  updatedAt: row.updated_at,
})

const toTick = (row: TickRow): AcceptedTick => ({
  id: row.id,
  channelId: row.channel_id,
  index: row.voucher_index,
  amount: row.amount_atomic,
  cumulative: row.cumulative_atomic,
  measured: row.measured,
  signature: row.signature,
  evidence: row.evidence,
  note: row.note,
  author: row.author,
  idempotency:
    row.idempotency_key === null || row.body_hash === null
      ? null
      : { key: row.idempotency_key, bodyHash: row.body_hash },
  at: row.at,
})
