import {
  noDecisions,
  type Decisions,
  type StandingOrderWords,
  type Timer,
  type TimerStore,
  type TimerTx,
} from '@ergon/core'
import type { Pool } from 'pg'
import { fewKeys } from './few-keys.ts'
import type { TransactionLine } from './transaction-line.ts'

/** What becomes due without anybody's doing; a lease puts it off. */
export function createTimers(pool: Pool): TimerStore {
  return {
    async leaseTimers(network, now, leaseUntil, limit) {
      const { rows } = await pool.query<{ task_id: string; kind: Timer['kind']; attempts: number }>({
        name: 'timers-lease',
        text: `with leased as materialized (
            select d.task_id, d.kind from task_timers d join tasks k on k.id = d.task_id
            where d.due_at <= $1 and k.network = $4 order by d.due_at limit $3 for update of d skip locked)
          update task_timers t set attempts = t.attempts + 1,
            due_at = greatest($2::timestamptz, $1::timestamptz + least(t.attempts, 60) * interval '1 minute')
          from ${fewKeys('leased', ['task_id', 'kind'])} due
          where t.task_id = due.task_id and t.kind = due.kind returning t.task_id, t.kind, t.attempts`,
        values: [now, leaseUntil, limit, network],
      })
      return rows.map(({ task_id, kind, attempts }) => ({ taskId: task_id, kind, attempts }))
    },
    async publisherDecisions(wallet) {
      const { rows } = await pool.query<Decisions>({
        name: 'publisher-decisions',
        text: 'select decided, rejected, silent, hours from publisher_decisions where wallet = $1',
        values: [wallet],
      })
      return rows[0] ?? noDecisions
    },
    async standingOrder(taskId) {
      const { rows } = await pool.query<{ standing_order: StandingOrderWords | null }>({
        name: 'standing-order',
        text: 'select standing_order from escrows where task_id = $1',
        values: [taskId],
      })
      return rows[0]?.standing_order ?? null
    },
  }
}

export function createTimerTx(client: TransactionLine): TimerTx {
  return {
    async putTimer(taskId, kind, dueAt) {
      await client.tell(
        `insert into task_timers (task_id, kind, due_at) values ($1, $2, $3)
         on conflict (task_id, kind) do update set due_at = excluded.due_at, attempts = 0`,
        [taskId, kind, dueAt],
      )
    },
    async dropTimer({ taskId, kind, attempts }) {
      await client.tell('delete from task_timers where task_id = $1 and kind = $2 and attempts = $3', [
        taskId,
        kind,
        attempts,
      ])
    },
    async elapseTask(taskId, ms, at) {
      await client.tell(
        `with moved as (
           update task_timers set due_at = due_at - $2 * interval '1 millisecond' where task_id = $1),
         ruled as (
           update rulings set appeal_until = appeal_until - $2 * interval '1 millisecond'
           where task_id = $1 and status = 'standing')
         update tasks set deadline = deadline - $2 * interval '1 millisecond', updated_at = $3,
           start_by = start_by - $2 * interval '1 millisecond',
           review_until = review_until - $2 * interval '1 millisecond' where id = $1`,
        [taskId, ms, at],
      )
    },
    async countDecision(wallet, kind, bucket) {
      // PostgreSQL counts array elements from 1.
      await client.tell(`insert into publisher_decisions (wallet) values ($1) on conflict (wallet) do nothing`, [
        wallet,
      ])
      await client.tell(
        `update publisher_decisions set decided = decided + $2, rejected = rejected + $3, silent = silent + $4
           ${bucket === null ? '' : `, hours[${String(bucket + 1)}] = hours[${String(bucket + 1)}] + 1`}
         where wallet = $1`,
        [wallet, kind === 'silent' ? 0 : 1, kind === 'rejected' ? 1 : 0, kind === 'silent' ? 1 : 0],
      )
    },
    async keepStandingOrder(taskId, order) {
      await client.tell('update escrows set standing_order = $2 where task_id = $1', [taskId, order])
    },
    async countPending(taskId) {
      const { rows } = await client.query<{ count: bigint }>(
        "select count(*) from applications where task_id = $1 and status = 'pending'",
        [taskId],
      )
      return Number(rows[0]?.count ?? 0n)
    },
  }
}
