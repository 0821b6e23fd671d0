import { MarketError } from '@ergon/core'
import { DatabaseError } from 'pg'
import { toRowJson } from './json.ts'
import { openMove } from './open-move.ts'
import { toPayment, toSettlement, type SettlementRow } from './rows.ts'
import type { First, Part, Query, Tell } from './tx-query.ts'

/** Claims on the escrow and on wallets, and what became of them. */
export function settlementRows(
  query: Query,
  first: First,
  tell: Tell,
): Part<
  | 'claimSettlement'
  | 'hasOpenSettlement'
  | 'isGoingBack'
  | 'lockSettlement'
  | 'endSettlement'
  | 'refuseFeeOf'
  | 'putEscrow'
  | 'escrowPayment'
> {
  return {
    async claimSettlement(one, dueAt) {
      const row = await first(
        `insert into settlements (id, task_id, submission_id, executor_id, purpose, subject, order_json, status,
           must_land, rating, due_at, created_at, updated_at, sent_until, offer_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14) on conflict do nothing returning id`,
        [
          one.id,
          one.taskId,
          one.submissionId,
          one.executorId,
          one.purpose,
          one.subject,
          toRowJson(one.order),
          one.status,
          one.mustLand,
          one.rating === null ? null : JSON.stringify(one.rating),
          dueAt,
          one.createdAt,
          one.sentUntil,
          one.offerId,
        ],
      )
      return row !== undefined
    },
    ...openSettlements(first),
    async lockSettlement(id) {
      const row = await first<SettlementRow>('select * from settlements where id = $1 for update', [id])
      return row === undefined ? null : toSettlement(row)
    },
    ...endRows(first, tell),
    ...escrowRows(query, first),
  }
}

function endRows(first: First, tell: Tell): Part<'endSettlement' | 'refuseFeeOf'> {
  return {
    async endSettlement(id, end, at) {
      await tell(
        `update settlements set status = $2, tx_hash = coalesce($3, tx_hash), block_number = coalesce($4, block_number),
           code = case when $2 = 'refused' then coalesce($5, code) else $5 end,
           due_at = coalesce($6, due_at), updated_at = $7, order_json = coalesce($8, order_json),
           sent_until = greatest(sent_until, $9), watch_until = $10, last_refusal = coalesce($11, last_refusal)
         where id = $1`,
        [
          id,
          end.status,
          end.txHash ?? null,
          end.blockNumber ?? null,
          end.code ?? null,
          end.dueAt ?? null,
          at,
          end.order === undefined ? null : toRowJson(end.order),
          end.sentUntil ?? null,
          end.watchUntil ?? null,
          end.refusal ?? null,
        ],
      )
    },
    async refuseFeeOf(submissionId, at) {
      const row = await first<SettlementRow>(
        `update settlements set status = 'refused', updated_at = $2
          where submission_id = $1 and purpose = 'fee' and status in ('claimed', 'in_doubt') returning *`,
        [submissionId, at],
      )
      return row === undefined ? null : toSettlement(row)
    },
  }
}

function openSettlements(first: First): Part<'hasOpenSettlement' | 'isGoingBack'> {
  return {
    async hasOpenSettlement(taskId) {
      return (
        (await first(
          `select 1 from settlements
            where task_id = $1 and ${openMove}
          union all select 1 from channels where task_id = $1 and status = 'closing' limit 1`,
          [taskId],
        )) !== undefined
      )
    },
    async isGoingBack(hash) {
      return (
        (await first(
          `select 1 from settlements
            where subject = $1 and status in ('claimed', 'in_doubt', 'confirmed') and purpose = 'stray' limit 1`,
          [hash],
        )) !== undefined
      )
    },
  }
}

function escrowRows(query: Query, first: First): Part<'putEscrow' | 'escrowPayment'> {
  return {
    async putEscrow(taskId, payment) {
      await query(
        `insert into escrows (task_id, hash, payment) values ($1, $2, $3)
          on conflict (task_id) do update set hash = excluded.hash, payment = excluded.payment`,
        [taskId, payment.hash, toRowJson(payment)],
      ).catch((error: unknown) => {
        throw error instanceof DatabaseError && error.constraint === 'escrows_hash_key'
          ? new MarketError('PAYMENT_AUTH_USED', { task_id: taskId }, { cause: error })
          : error
      })
    },
    async escrowPayment(taskId) {
      const row = await first<{ payment: unknown }>('select payment from escrows where task_id = $1', [taskId])
      return row === undefined ? null : toPayment(row.payment)
    },
  }
}
