import { isFinal, type Tx } from '@ergon/core'
import type { Pool, QueryResultRow } from 'pg'
import { createAccountTx } from './account-tx.ts'
import { createAdminTx } from './admin-tx.ts'
import { createCashOutTx } from './cash-outs.ts'
import { createChannelTx } from './channels.ts'
import { disputeRows } from './disputes.ts'
import { createFollowTx } from './follow.ts'
import { inKeyedTransaction, keepKey } from './keyed-call.ts'
import { createListingTx } from './listing-tx.ts'
import { createMovementTx } from './movement-tx.ts'
import { createVerificationTx } from './verification.ts'
import { bookRows } from './book-rows.ts'
import { ratingRows } from './rating-rows.ts'
import { toApplication, toSubmission, toTask, type ApplicationRow, type SubmissionRow, type TaskRow } from './rows.ts'
import { settlementRows } from './settlement-rows.ts'
import { createTaskWordsTx } from './task-words.ts'
import { createExtensionTx } from './extensions.ts'
import { createInvitationTx } from './invitations.ts'
import { createMessageTx } from './messages.ts'
import { createOfferTx } from './offers.ts'
import { createPortfolioTx } from './portfolio.ts'
import { createSearchTx } from './searches.ts'
import { createRulingTx } from './rulings.ts'
import { createTimerTx } from './timers.ts'
import type { TransactionLine } from './transaction-line.ts'
import type { First, Part, Query, Tell } from './tx-query.ts'

/** Runs work in one transaction on a connection of its own, under the key of the call when it came with one. */
export async function inTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const key = keepKey()
  return inKeyedTransaction(pool, key, (line) => work(key === undefined ? createTx(line) : key.wrap(createTx(line))))
}

/** Columns of a task that may change, by the field that names the change. */
const taskColumns = {
  executorId: 'executor_id',
  escrowStatus: 'escrow_status',
  escrowTx: 'escrow_tx',
  paymentTx: 'payment_tx',
  refundTx: 'refund_tx',
  title: 'title',
  instructions: 'instructions',
  locationHint: 'location_hint',
  deadline: 'deadline',
  minReputation: 'min_reputation',
  policy: 'policy',
  reviewUntil: 'review_until',
  startBy: 'start_by',
  turn: 'turn',
  target: 'target',
  feeTx: 'fee_tx',
  paymentBlock: 'payment_block',
  captured: 'captured_atomic',
} as const

type Changes = Parameters<Tx['changeTask']>[1]

function assignments(changes: Changes, first: number): { readonly text: string; readonly values: unknown[] } {
  // Object.entries of a typed record answers its own keys.
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined) as [
    keyof typeof taskColumns,
    unknown,
  ][]
  return {
    text: entries.map(([field], index) => `, ${taskColumns[field]} = $${String(first + index)}`).join(''),
    values: entries.map(([, value]) => value),
  }
}

function createTx(line: TransactionLine): Tx {
  const query: Query = async <R extends QueryResultRow>(text: string, values: unknown[]) =>
    (await line.query<R>(text, values)).rows
  const first = async <R extends QueryResultRow>(text: string, values: unknown[]): Promise<R | undefined> =>
    (await query<R>(text, values))[0]
  const { tell } = line
  return {
    ...taskRows(first, tell),
    ...workRows(query, first, tell),
    ...settlementRows(query, first, tell),
    ...bookRows(first, tell),
    ...ratingRows(first, tell),
    ...disputeRows(query, tell),
    ...createListingTx(line),
    ...createMovementTx(line),
    ...createAccountTx(line),
    ...createFollowTx(line),
    ...createAdminTx(line),
    ...createVerificationTx(line),
    ...createTaskWordsTx(line),
    ...createTimerTx(line),
    ...createOfferTx(line),
    ...createMessageTx(line),
    ...createExtensionTx(line),
    ...createInvitationTx(line),
    ...createSearchTx(line),
    ...createPortfolioTx(line),
    ...createRulingTx(line),
    ...createChannelTx(line),
    ...createCashOutTx(line),
  }
}

function taskRows(
  first: First,
  tell: Tell,
): Part<'lockTask' | 'moveTask' | 'changeTask' | 'hasApplications' | 'addEvent' | 'addEvents'> {
  return {
    async lockTask(id) {
      const row = await first<TaskRow>('select * from tasks where id = $1 for update', [id])
      return row === undefined ? null : toTask(row)
    },
    async moveTask(id, to, at, changes = {}) {
      const set = assignments(changes, 4)
      await tell(
        `with moved as (update tasks set status = $2, updated_at = $3${set.text} where id = $1 returning id)
          insert into task_history (task_id, status, at) select id, $2, $3 from moved`,
        [id, to, at, ...set.values],
      )
      if (isFinal(to))
        await tell("update applications set status = 'rejected' where task_id = $1 and status = 'pending'", [id])
    },
    async changeTask(id, changes, at) {
      const set = assignments(changes, 3)
      await tell(`update tasks set updated_at = $2${set.text} where id = $1`, [id, at, ...set.values])
    },
    async hasApplications(taskId) {
      return (await first('select 1 from applications where task_id = $1 limit 1', [taskId])) !== undefined
    },
    async addEvent(event) {
      await tell('insert into outbox (id, type, task_id, data, at) values ($1, $2, $3, $4, $5)', [
        event.id,
        event.type,
        event.taskId,
        JSON.stringify(event.data),
        event.at,
      ])
    },
    async addEvents(events) {
      const rows = events.map(({ id, type, taskId, data, at }) => ({ id, type, task_id: taskId, data, at }))
      await tell(
        `insert into outbox (id, type, task_id, data, at) select id, type, task_id, data, at
          from jsonb_to_recordset($1::jsonb) as e (id uuid, type text, task_id uuid, data jsonb, at timestamptz)
          order by id`,
        [JSON.stringify(rows)],
      )
    },
  }
}

function workRows(
  query: Query,
  first: First,
  tell: Tell,
): Part<
  | 'insertApplication'
  | 'application'
  | 'acceptApplication'
  | 'pendingApplications'
  | 'insertSubmission'
  | 'lockSubmission'
  | 'decideSubmission'
  | 'insertDispute'
  | 'countCompleted'
  | 'agentOf'
> {
  return {
    ...applicationRows(query, first, tell),
    async insertSubmission(one) {
      await tell(
        `insert into submissions (id, task_id, executor_id, status, submitted_at, evidence, notes, checks,
              pre_check_score, coverage) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          one.id,
          one.taskId,
          one.executorId,
          one.status,
          one.submittedAt,
          JSON.stringify(one.evidence),
          one.notes,
          JSON.stringify(one.checks),
          one.preCheckScore,
          one.coverage,
        ],
      )
    },
    async lockSubmission(id) {
      const row = await first<SubmissionRow>('select * from submissions where id = $1 for update', [id])
      return row === undefined ? null : toSubmission(row)
    },
    async decideSubmission(id, decision) {
      await tell(
        'update submissions set status = $2, decided_at = $3, rejection_reason = $4, payment_tx = $5 where id = $1',
        [id, decision.status, decision.at, decision.reason ?? null, decision.paymentTx ?? null],
      )
    },
    async insertDispute(one) {
      await tell(
        `insert into disputes (id, task_id, submission_id, status, opened_by, reason, description, criteria, created_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          one.id,
          one.taskId,
          one.submissionId,
          one.status,
          one.openedBy,
          one.reason,
          one.description,
          one.criteria,
          one.createdAt,
        ],
      )
    },
    ...workerRows(first, tell),
  }
}

function workerRows(first: First, tell: Tell): Part<'agentOf' | 'countCompleted'> {
  return {
    async agentOf(executorId, network) {
      const row = await first<{ wallet: string; agent_id: bigint }>(
        `select w.wallet, i.agent_id from workers w join identities i on i.wallet = w.wallet and i.network = $2
          where w.id = $1`,
        [executorId, network],
      )
      return row === undefined ? null : { wallet: row.wallet, agentId: Number(row.agent_id) }
    },
    async countCompleted(executorId) {
      await tell('update workers set tasks_completed = tasks_completed + 1 where id = $1', [executorId])
    },
  }
}

function applicationRows(
  query: Query,
  first: First,
  tell: Tell,
): Part<'insertApplication' | 'application' | 'acceptApplication' | 'pendingApplications'> {
  return {
    async pendingApplications(taskId, limit) {
      const rows = await query<{ id: string; executor_id: string }>(
        "select id, executor_id from applications where task_id = $1 and status = 'pending' order by id limit $2",
        [taskId, limit],
      )
      return rows.map(({ id, executor_id: executorId }) => ({ id, executorId }))
    },
    async insertApplication(one) {
      const row = await first(
        `insert into applications (id, task_id, executor_id, status, message, created_at)
          values ($1, $2, $3, $4, $5, $6) on conflict (task_id, executor_id) do update
            set id = excluded.id, status = excluded.status, message = excluded.message, created_at = excluded.created_at
            where applications.status = 'withdrawn'
          returning id`,
        [one.id, one.taskId, one.executorId, one.status, one.message, one.createdAt],
      )
      return row !== undefined
    },
    async application(taskId, executorId) {
      const row = await first<ApplicationRow & { has_notes: boolean }>(
        `select *, exists (select 1 from task_words w where w.task_id = $1 and w.kind = 'assign'
            and coalesce(w.executor_id, w.task_id) = $2) as has_notes
          from applications where task_id = $1 and executor_id = $2`,
        [taskId, executorId],
      )
      return row === undefined ? null : { ...toApplication(row), hasNotes: row.has_notes }
    },
    async acceptApplication(taskId, executorId) {
      await tell("update applications set status = 'accepted' where task_id = $1 and executor_id = $2", [
        taskId,
        executorId,
      ])
    },
  }
}
