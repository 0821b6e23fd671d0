import type { Offer, OfferStore, OfferTx } from '@ergon/core'
import type { Pool } from 'pg'
import { fromRowJson, toRowJson } from './json.ts'
import type { TransactionLine } from './transaction-line.ts'

type OfferRow = {
  id: string
  task_id: string
  executor_id: string
  side: Offer['side']
  words: unknown
  message: string | null
  signature: string
  answer: string | null
  payments: Offer['payments']
  status: Offer['status']
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

function toOffer(row: OfferRow): Offer {
  return {
    id: row.id,
    taskId: row.task_id,
    executorId: row.executor_id,
    side: row.side,
    // This adapter wrote it from the same type.
    words: fromRowJson(row.words) as Offer['words'],
    message: row.message,
    signature: row.signature,
    answer: row.answer,
    payments: row.payments,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }
}

/** What two parties offer one another (decision 0167); ids are UUIDv7, so the newest comes first by its key. */
export function createOffers(pool: Pool): OfferStore {
  return {
    async offer(id) {
      const { rows } = await pool.query<OfferRow>({
        name: 'offer',
        text: 'select * from settlement_offers where id = $1',
        values: [id],
      })
      return rows[0] === undefined ? null : toOffer(rows[0])
    },
    async offers(taskId) {
      const { rows } = await pool.query<OfferRow>({
        name: 'offers',
        text: 'select * from settlement_offers where task_id = $1 order by id desc',
        values: [taskId],
      })
      return rows.map(toOffer)
    },
  }
}

export function createOfferTx(client: TransactionLine): OfferTx {
  return {
    async insertOffer(one) {
      await client.tell(
        `insert into settlement_offers (id, task_id, executor_id, side, words, message, signature, answer, payments,
           status, created_at, expires_at, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          one.id,
          one.taskId,
          one.executorId,
          one.side,
          toRowJson(one.words),
          one.message,
          one.signature,
          one.answer,
          one.payments === null ? null : JSON.stringify(one.payments),
          one.status,
          one.createdAt,
          one.expiresAt,
          one.endedAt,
        ],
      )
    },
    async lockOffer(id) {
      const { rows } = await client.query<OfferRow>('select * from settlement_offers where id = $1 for update', [id])
      return rows[0] === undefined ? null : toOffer(rows[0])
    },
    async lockOffers(taskId) {
      const { rows } = await client.query<OfferRow>(
        'select * from settlement_offers where task_id = $1 order by id desc for update',
        [taskId],
      )
      return rows.map(toOffer)
    },
    async endOffer(id, status, answer, endedAt) {
      await client.tell(
        'update settlement_offers set status = $2, answer = coalesce($3, answer), ended_at = $4 where id = $1',
        [id, status, answer, endedAt],
      )
    },
  }
}
