import { MarketError, type Store } from '@ergon/core'
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { toTask, type TaskRow } from './rows.ts'

const insertTask = `with task as (
  insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, publisher_type, publisher_agent_id, target, evidence_required, evidence_optional, location_hint,
    min_reputation, escrow_status, payment_auth, idempotency_key, body_hash, created_at, updated_at, policy)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
    coalesce((select party from workers where wallet = $11 and party = 'robot'), $12),
    $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $23, $30)
  on conflict (publisher_wallet, idempotency_key) where idempotency_key is not null do nothing returning id
), history as (insert into task_history (task_id, status, at) select id, $2, $23 from task),
event as (insert into outbox (id, type, task_id, data, at)
  select $24::uuid, $25, id, $26, $23 from task where $24::uuid is not null),
meter as (insert into meter_terms (task_id, unit, price_atomic, cap_atomic)
  select id, $27::text, $28::bigint, $29::bigint from task where $27::text is not null)
select id from task`

/** A pool, or the one connection of a transaction. */
type Db = { query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> }

/** The hottest write: task, history and event in one statement and one commit. */
export function createPublish(db: Db): Store['publish'] {
  return async (task, event, idempotency) => {
    const { asset, atomic } = task.bounty
    const { rows } = await db.query<{ id: string }>({
      name: 'task-publish',
      text: insertTask,
      values: [
        task.id,
        task.status,
        task.title,
        task.instructions,
        task.category,
        atomic,
        asset.symbol,
        asset.network,
        asset.decimals,
        task.deadline,
        task.publisherWallet,
        task.publisherType,
        task.publisherAgentId,
        task.target,
        task.evidenceRequired,
        task.evidenceOptional,
        task.locationHint,
        task.minReputation,
        task.escrowStatus,
        task.paymentAuth,
        idempotency?.key ?? null,
        idempotency?.bodyHash ?? null,
        task.createdAt,
        ...(event === null ? [null, null, null] : [event.id, event.type, JSON.stringify(event.data)]),
        ...(task.meter === undefined ? [null, null, null] : [task.meter.unit, task.meter.price, task.meter.cap]),
        task.policy,
      ],
    })
    if (rows.length > 0 || idempotency === null) return { task, replayed: false }
    return { task: await replay(db, task.publisherWallet, idempotency), replayed: true }
  }
}

async function replay(db: Db, wallet: string, idempotency: Key): Promise<ReturnType<typeof toTask>> {
  const task = await publishedUnder(db, wallet, idempotency)
  if (task === null) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
  return task
}

type Key = { readonly key: string; readonly bodyHash: string }

/** What was published under a key; null when nothing was. @throws IDEMPOTENCY_KEY_REUSED for another body */
export async function publishedUnder(
  db: Db,
  wallet: string,
  { key, bodyHash }: Key,
): Promise<ReturnType<typeof toTask> | null> {
  const {
    rows: [row],
  } = await db.query<TaskRow & { body_hash: string }>({
    text: 'select * from tasks where publisher_wallet = $1 and idempotency_key = $2',
    values: [wallet, key],
  })
  if (row === undefined) return null
  if (row.body_hash !== bodyHash) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
  return toTask(row)
}
