import assert from 'node:assert/strict'
import { MarketError, type Tx } from '@ergon/core'
import { DatabaseError, type Pool, type PoolClient, type QueryResultRow } from 'pg'
import { createAccountTx } from './account-tx.ts'
import { createAdminTx } from './admin-tx.ts'
import { disputeRows } from './disputes.ts'
import { toRowJson } from './json.ts'
import { createFollowTx } from './follow.ts'
import { inKeyedTransaction, keepKey } from './keyed-call.ts'
import { createListingTx } from './listing-tx.ts'
import { createMovementTx } from './movement-tx.ts'
import { createVerificationTx } from './verification.ts'
import {
  toApplication,
  toPayment,
  toRating,
  toSettlement,
  toSubmission,
  toTask,
  type ApplicationRow,
  type RatingRow,
  type SettlementRow,
  type SubmissionRow,
  type TaskRow,
} from './rows.ts'

/** Runs work in one transaction on a connection of its own, under the key of the call when it came with one. */
export async function inTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const key = keepKey()
  return inKeyedTransaction(pool, key, (client) =>
    work(key === undefined ? createTx(client) : key.wrap(createTx(client))),
  )
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

type Query = <R extends QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>

function createTx(client: PoolClient): Tx {
  const query: Query = async <R extends QueryResultRow>(text: string, values: unknown[]) =>
    (await client.query<R>(text, values)).rows
  const first = async <R extends QueryResultRow>(text: string, values: unknown[]): Promise<R | undefined> =>
    (await query<R>(text, values))[0]
  return {
    ...taskRows(query, first),
    ...workRows(query, first),
    ...settlementRows(query, first),
    ...bookRows(query, first),
    ...ratingRows(query, first),
    ...disputeRows(query),
    ...createListingTx(client),
    ...createMovementTx(client),
    ...createAccountTx(client),
    ...createFollowTx(client),
    ...createAdminTx(client),
    ...createVerificationTx(client),
  }
}

type First = <R extends QueryResultRow>(text: string, values: unknown[]) => Promise<R | undefined>
type Part<K extends keyof Tx> = Pick<Tx, K>

function taskRows(
  query: Query,
  first: First,
): Part<'lockTask' | 'moveTask' | 'changeTask' | 'hasApplications' | 'addEvent'> {
  return {
    async lockTask(id) {
      const row = await first<TaskRow>('select * from tasks where id = $1 for update', [id])
      return row === undefined ? null : toTask(row)
    },
    async moveTask(id, to, at, changes = {}) {
      const set = assignments(changes, 4)
      await query(
        `with moved as (update tasks set status = $2, updated_at = $3${set.text} where id = $1 returning id)
          insert into task_history (task_id, status, at) select id, $2, $3 from moved`,
        [id, to, at, ...set.values],
      )
    },
    async changeTask(id, changes, at) {
      const set = assignments(changes, 3)
      await query(`update tasks set updated_at = $2${set.text} where id = $1`, [id, at, ...set.values])
    },
    async hasApplications(taskId) {
      return (await first('select 1 from applications where task_id = $1 limit 1', [taskId])) !== undefined
    },
    async addEvent(event) {
      await query('insert into outbox (id, type, task_id, data, at) values ($1, $2, $3, $4, $5)', [
        event.id,
        event.type,
        event.taskId,
        JSON.stringify(event.data),
        event.at,
      ])
    },
  }
}

function workRows(
  query: Query,
  first: First,
): Part<
  | 'insertApplication'
  | 'application'
  | 'acceptApplication'
  | 'insertSubmission'
  | 'lockSubmission'
  | 'decideSubmission'
  | 'insertDispute'
  | 'countCompleted'
  | 'agentOf'
> {
  return {
    async insertApplication(one) {
      const row = await first(
        'insert into applications (id, task_id, executor_id, status, message, created_at) values ($1, $2, $3, $4, $5, $6) on conflict (task_id, executor_id) do nothing returning id',
        [one.id, one.taskId, one.executorId, one.status, one.message, one.createdAt],
      )
      return row !== undefined
    },
    async application(taskId, executorId) {
      const row = await first<ApplicationRow>('select * from applications where task_id = $1 and executor_id = $2', [
        taskId,
        executorId,
      ])
      return row === undefined ? null : toApplication(row)
    },
    async acceptApplication(taskId, executorId) {
      await query("update applications set status = 'accepted' where task_id = $1 and executor_id = $2", [
        taskId,
        executorId,
      ])
    },
    async insertSubmission(one) {
      await query(
        'insert into submissions (id, task_id, executor_id, status, submitted_at, evidence, notes, checks, pre_check_score, coverage) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
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
      await query(
        'update submissions set status = $2, decided_at = $3, rejection_reason = $4, payment_tx = $5 where id = $1',
        [id, decision.status, decision.at, decision.reason ?? null, decision.paymentTx ?? null],
      )
    },
    async insertDispute(one) {
      await query(
        'insert into disputes (id, task_id, submission_id, status, opened_by, reason, description, criteria, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
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
    async agentOf(executorId, network) {
      const row = await first<{ wallet: string; agent_id: bigint }>(
        'select w.wallet, i.agent_id from workers w join identities i on i.wallet = w.wallet and i.network = $2 where w.id = $1',
        [executorId, network],
      )
      return row === undefined ? null : { wallet: row.wallet, agentId: Number(row.agent_id) }
    },
    async countCompleted(executorId) {
      await query('update workers set tasks_completed = tasks_completed + 1 where id = $1', [executorId])
    },
  }
}

function settlementRows(
  query: Query,
  first: First,
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
           must_land, rating, due_at, created_at, updated_at, sent_until)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13) on conflict do nothing returning id`,
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
        ],
      )
      return row !== undefined
    },
    async hasOpenSettlement(taskId) {
      return (
        (await first(
          "select 1 from settlements where task_id = $1 and status in ('claimed', 'in_doubt') and purpose not in ('fee', 'stray') limit 1",
          [taskId],
        )) !== undefined
      )
    },
    async isGoingBack(hash) {
      return (
        (await first(
          "select 1 from settlements where subject = $1 and status in ('claimed', 'in_doubt') and purpose = 'stray' limit 1",
          [hash],
        )) !== undefined
      )
    },
    async lockSettlement(id) {
      const row = await first<SettlementRow>('select * from settlements where id = $1 for update', [id])
      return row === undefined ? null : toSettlement(row)
    },
    async endSettlement(id, end, at) {
      await query(
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
        "update settlements set status = 'refused', updated_at = $2 where submission_id = $1 and purpose = 'fee' and status = 'claimed' returning *",
        [submissionId, at],
      )
      return row === undefined ? null : toSettlement(row)
    },
    async putEscrow(taskId, payment) {
      await query(
        'insert into escrows (task_id, hash, payment) values ($1, $2, $3) on conflict (task_id) do update set hash = excluded.hash, payment = excluded.payment',
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

function bookRows(
  query: Query,
  first: First,
): Part<'settleFee' | 'ledgerBalance' | 'addPaymentEvent' | 'post' | 'endSweep'> {
  return {
    async settleFee(taskId, txHash, at) {
      const row = await first(
        'update tasks set fee_tx = $2, payment_block = case when $2::text is null then null else payment_block end, updated_at = $3 where id = $1 and fee_tx is null and payment_block is not null returning id',
        [taskId, txHash, at],
      )
      return row !== undefined
    },
    async ledgerBalance(asset, account) {
      const row = await first<{ balance: bigint }>(
        'select coalesce(sum(amount_atomic), 0)::bigint as balance from ledger where network = $1 and token = $2 and account = $3',
        [asset.network, asset.symbol, account],
      )
      return row?.balance ?? 0n
    },
    async addPaymentEvent(one) {
      await query(
        'insert into payment_events (id, task_id, type, status, amount_atomic, from_address, to_address, network, token, decimals, tx_hash, note, at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
        [
          one.id,
          one.taskId,
          one.type,
          one.status,
          one.amount?.atomic ?? null,
          one.from,
          one.to,
          one.asset.network,
          one.asset.symbol,
          one.asset.decimals,
          one.txHash,
          one.note ?? null,
          one.at,
        ],
      )
    },
    async post(journal) {
      assert(journal.postings.reduce((sum, one) => sum + one.atomic, 0n) === 0n, 'a journal adds up to zero')
      await query(
        'insert into ledger (journal, task_id, network, token, account, amount_atomic, at) select $1, $2, $3, $4, account, atomic, $5 from unnest($6::text[], $7::bigint[]) as line (account, atomic)',
        [
          journal.id,
          journal.taskId,
          journal.asset.network,
          journal.asset.symbol,
          journal.at,
          journal.postings.map((one) => one.account),
          journal.postings.map((one) => one.atomic.toString()),
        ],
      )
    },
    async endSweep(id, end, at) {
      const row = await first(
        "update sweeps set status = $2, tx_hash = coalesce($3, tx_hash), block_number = coalesce($4, block_number), amount = coalesce($5, amount), due_at = coalesce($6, due_at), updated_at = $7 where id = $1 and status = 'open' returning id",
        [id, end.status, end.txHash ?? null, end.blockNumber ?? null, end.amount ?? null, end.dueAt ?? null, at],
      )
      return row !== undefined
    },
  }
}

function ratingRows(query: Query, first: First): Part<'putRating' | 'lockRating' | 'endRating'> {
  return {
    async putRating(one, dueAt, at) {
      // A prepared rating gives way to a newer one; one that is on its way or on chain does not.
      const row = await first(
        `insert into ratings (id, task_id, direction, rater, ratee, terms, comment, document, status, due_at,
           updated_at, written_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
         on conflict (task_id, direction) do update set id = excluded.id, terms = excluded.terms,
           comment = excluded.comment, document = excluded.document, status = excluded.status, due_at = excluded.due_at,
           attempts = 0, sent_at = null, lands_until = null, updated_at = excluded.updated_at,
           written_at = excluded.written_at
         where ratings.status in ('prepared', 'refused') returning id`,
        [
          one.id,
          one.taskId,
          one.direction,
          one.rater,
          one.ratee,
          JSON.stringify(one.terms),
          one.comment,
          one.document,
          one.status,
          dueAt,
          at,
        ],
      )
      return row !== undefined
    },
    async lockRating(taskId, direction) {
      const row = await first<RatingRow>('select * from ratings where task_id = $1 and direction = $2 for update', [
        taskId,
        direction,
      ])
      return row === undefined ? null : toRating(row)
    },
    async endRating(id, end, at) {
      await query(
        `update ratings set status = $2, tx_hash = coalesce($3, tx_hash), feedback_index = coalesce($4, feedback_index),
           due_at = coalesce($5, due_at), updated_at = $6,
           attempts = attempts + case when $2 = 'sending' then 1 else 0 end,
           sent_at = case when $2 = 'sending' then coalesce(sent_at, $6)
             when $2 = 'prepared' then null else sent_at end,
           lands_until = case when $2 = 'sending' then greatest(lands_until, $7)
             when $2 = 'prepared' then null else lands_until end
         where id = $1`,
        [id, end.status, end.txHash ?? null, end.feedbackIndex ?? null, end.dueAt ?? null, at, end.landsUntil ?? null],
      )
    },
  }
}
