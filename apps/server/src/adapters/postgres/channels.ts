import type { ChannelStore, ChannelTx } from '@ergon/core'
import type { Pool } from 'pg'
import {
  channelValues,
  termsOf,
  toChannel,
  toOrder,
  toTick,
  type ChannelRow,
  type OrderRow,
  type TermsRow,
  type TickRow,
} from './channel-rows.ts'
import { forgetRows } from './forget-rows.ts'
import { createStreams } from './streams.ts'
import { createTickTurns } from './tick-turns.ts'
import type { TransactionLine } from './transaction-line.ts'

/** Channels that fund tasks, and what was accepted on them. */
export function createChannels(pool: Pool): ChannelStore {
  return {
    async meterTerms(taskId) {
      const { rows } = await pool.query<TermsRow>(
        'select unit, price_atomic, cap_atomic from meter_terms where task_id = $1',
        [taskId],
      )
      const [row] = rows
      return row === undefined ? null : termsOf(row)
    },
    async channelOf(taskId) {
      const { rows } = await pool.query<ChannelRow>('select * from channels where task_id = $1', [taskId])
      return rows.map(toChannel)[0] ?? null
    },
    async channelsOf(taskIds) {
      const { rows } = await pool.query<ChannelRow>({
        name: 'channels-of',
        text: 'select * from channels where task_id = any($1)',
        values: [taskIds],
      })
      return rows.map(toChannel)
    },
    async channel(channelId) {
      const { rows } = await pool.query<ChannelRow>('select * from channels where id = $1', [channelId])
      return rows.map(toChannel)[0] ?? null
    },
    async ticksAfter(channelId, index, limit) {
      const { rows } = await pool.query<TickRow>(
        'select * from channel_ticks where channel_id = $1 and voucher_index > $2 order by voucher_index limit $3',
        [channelId, index, limit],
      )
      return rows.map(toTick)
    },
    ...createTickTurns(pool),
    ...createStreams(pool),
    ...dueChannels(pool),
  }
}

/** Channels whose time has come, what is on its way for them, and what nobody needs any more. */
function dueChannels(
  pool: Pick<Pool, 'query'>,
): Pick<ChannelStore, 'openOrder' | 'leaseChannels' | 'leaseChannelAudits' | 'forgetTicks'> {
  return {
    async openOrder(channelId) {
      const { rows } = await pool.query<OrderRow>({
        name: 'channel-order-open',
        text: "select * from channel_orders where channel_id = $1 and status = 'sent'",
        values: [channelId],
      })
      return rows.map(toOrder)[0] ?? null
    },
    async leaseChannels(status, now, until, limit) {
      const { rows } = await pool.query<ChannelRow & { is_over: boolean }>({
        name: 'channels-lease',
        text: leaseText,
        values: [status, now, until, limit],
      })
      return rows.map((row) => ({ channel: toChannel(row), isTaskOver: row.is_over }))
    },
    async leaseChannelAudits(now, until, limit) {
      const { rows } = await pool.query<ChannelRow>({
        name: 'channel-audits-lease',
        text: `update channels set audit_due_at = $2 where id = any(array(
            select id from channels where status <> 'reclaimed' and audit_due_at <= $1
              order by audit_due_at limit $3 for update skip locked)) returning *`,
        values: [now, until, limit],
      })
      return rows.map(toChannel)
    },
    async forgetTicks(before, limit) {
      return Math.max(
        await forgetRows(pool, pastTicks, limit, [before]),
        await forgetRows(pool, pastOrders, limit, [before]),
      )
    },
  }
}

const leaseText = `update channels c set due_at = $3, attempts = c.attempts + 1
  from tasks t where t.id = c.task_id and c.id = any(array(
    select id from channels where status = $1 and status <> 'reclaimed' and due_at <= $2
      order by due_at limit $4 for update skip locked))
  returning c.*, t.status in ('completed', 'cancelled', 'expired') as is_over`

/** Work that is paid and whose channel is gone; what is not yet over keeps all that led to it. */
const isGone = (table: string): string =>
  `exists (select from channels c where c.id = ${table}.channel_id and c.status = 'reclaimed')`
const pastTicks = { table: 'channel_ticks', where: `at < $2 and ${isGone('channel_ticks')}`, order: 'at' }
const pastOrders = {
  table: 'channel_orders',
  where: `sent_at < $2 and status <> 'sent' and ${isGone('channel_orders')}`,
  order: 'sent_at',
}

/** Any constant will do: sessions of one buyer are begun one after the other. */
const streamLock = 7_210_464
const liveStreams = `select count(*)::int as live from tasks
  where publisher_wallet = $1 and status = 'accepted' and evidence_required = '{}'`

export function createChannelTx(client: TransactionLine): ChannelTx {
  return {
    async lockLiveStreams(wallet) {
      await client.tell('select pg_advisory_xact_lock($1, hashtext($2))', [streamLock, wallet])
      const { rows } = await client.query<{ live: number }>({
        name: 'streams-live',
        text: liveStreams,
        values: [wallet],
      })
      return rows[0]?.live ?? 0
    },
    async insertChannel(one) {
      const { rowCount } = await client.query(
        `insert into channels (id, task_id, executor_id, network, token, decimals, payer, payee, worker,
           voucher_signer, status, unit, price_atomic, limit_atomic, deposit_atomic, measured, cumulative_atomic,
           measured_until, vouchers, signature, bound_at, updated_at, due_at, audit_due_at, voucher_key)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
           $23, $23, $24)
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
    ...channelEnds(client),
  }
}

/** How a channel ends. */
function channelEnds(client: TransactionLine): Omit<ChannelTx, 'lockLiveStreams' | 'insertChannel' | 'lockChannel'> {
  return {
    async closeChannel(channelId, { reason, at, submissionId, rating, attempts }, dueAt) {
      await client.tell(
        `update channels set status = 'closing', close_reason = $2, closing_at = $3, submission_id = $4, rating = $5,
           attempts = $6, due_at = $7, updated_at = $3 where id = $1 and status = 'open'`,
        [channelId, reason, at, submissionId, rating === null ? null : JSON.stringify(rating), attempts, dueAt],
      )
    },
    async channelDueAt(channelId, status, dueAt) {
      await client.tell('update channels set due_at = $3 where id = $1 and status = $2', [channelId, status, dueAt])
    },
    async insertOrder(one) {
      const { rowCount } = await client.query(
        `insert into channel_orders (id, channel_id, act, wire, signature, last_valid_height, settled_atomic,
           deposit_atomic, status, sent_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
        [
          ...[one.id, one.channelId, one.act, one.wire, one.signature, one.lastValidHeight, one.settled, one.deposit],
          ...[one.status, one.sentAt],
        ],
      )
      return rowCount === 1
    },
    async endOrder(id, status, at) {
      await client.tell("update channel_orders set status = $2, ended_at = $3 where id = $1 and status = 'sent'", [
        id,
        status,
        at,
      ])
    },
    async payChannel(channelId, { settled, txHash, slot, at }) {
      await client.tell(
        `update channels set paid_atomic = $2, paid_tx = $3, paid_slot = $4, paid_at = $5, updated_at = $5
          where id = $1 and status = 'closing'`,
        [channelId, settled, txHash, slot, at],
      )
    },
    async settleChannel(channelId, deposit, { settled, txHash, slot, at }, dueAt) {
      await client.tell(
        `update channels set status = 'settled', deposit_atomic = $2, settled_atomic = $3, settlement_tx = $4,
           settlement_slot = $5, settled_at = $6, due_at = $7, attempts = 0, updated_at = $6
          where id = $1 and status = 'closing'`,
        [channelId, deposit, settled, txHash, slot, at, dueAt],
      )
    },
    async reclaimChannel(channelId, at) {
      await client.tell(
        "update channels set status = 'reclaimed', updated_at = $2 where id = $1 and status = 'settled'",
        [channelId, at],
      )
    },
  }
}
