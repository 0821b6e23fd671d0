import type { Ruling, RulingStore, RulingTx } from '@ergon/core'
import type { Pool } from 'pg'
import type { TransactionLine } from './transaction-line.ts'

type RulingRow = {
  id: string
  dispute_id: string
  task_id: string
  arbiter: string
  verdict: Ruling['verdict']
  split_pct: number | null
  reason: string
  criteria: string[]
  nonce: string
  deadline: Date
  signature: string
  status: Ruling['status']
  appealed_by: Ruling['appealedBy']
  appeal_reason: string | null
  created_at: Date
  appeal_until: Date
  ended_at: Date | null
}

function toRuling(row: RulingRow): Ruling {
  return {
    id: row.id,
    disputeId: row.dispute_id,
    taskId: row.task_id,
    arbiter: row.arbiter,
    verdict: row.verdict,
    splitPct: row.split_pct,
    reason: row.reason,
    criteria: row.criteria,
    nonce: row.nonce,
    deadline: row.deadline,
    signature: row.signature,
    status: row.status,
    appealedBy: row.appealed_by,
    appealReason: row.appeal_reason,
    createdAt: row.created_at,
    appealUntil: row.appeal_until,
    endedAt: row.ended_at,
  }
}

/** What arbiters decided (decision 0168). */
export function createRulings(pool: Pool): RulingStore {
  return {
    async rulingOf(disputeId) {
      const { rows } = await pool.query<RulingRow>({
        name: 'ruling',
        text: 'select * from rulings where dispute_id = $1',
        values: [disputeId],
      })
      return rows[0] === undefined ? null : toRuling(rows[0])
    },
  }
}

export function createRulingTx(client: TransactionLine): RulingTx {
  return {
    async insertRuling(one) {
      const { rowCount } = await client.query(
        `insert into rulings (id, dispute_id, task_id, arbiter, verdict, split_pct, reason, criteria, nonce, deadline,
           signature, status, created_at, appeal_until)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         on conflict (dispute_id) do nothing`,
        [
          one.id,
          one.disputeId,
          one.taskId,
          one.arbiter,
          one.verdict,
          one.splitPct,
          one.reason,
          one.criteria,
          one.nonce,
          one.deadline,
          one.signature,
          one.status,
          one.createdAt,
          one.appealUntil,
        ],
      )
      return rowCount === 1
    },
    async lockRulingOf(taskId) {
      const { rows } = await client.query<RulingRow>(
        "select * from rulings where task_id = $1 and status <> 'overtaken' for update",
        [taskId],
      )
      return rows[0] === undefined ? null : toRuling(rows[0])
    },
    async endRuling(id, status, at) {
      await client.tell('update rulings set status = $2, ended_at = $3 where id = $1', [id, status, at])
    },
    async appealRuling(id, side, reason) {
      await client.tell("update rulings set status = 'appealed', appealed_by = $2, appeal_reason = $3 where id = $1", [
        id,
        side,
        reason,
      ])
    },
  }
}
