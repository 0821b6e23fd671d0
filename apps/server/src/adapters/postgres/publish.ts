import { MarketError, type Store } from '@ergon/core'
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { createTogether } from '../../surroundings/together.ts'
import { toTask, type TaskRow } from './rows.ts'
import { noteWritten, troubleOf } from './trouble.ts'

/** What is written of a task, in the order of its values: what it is called in the statement, and its type. */
const given = {
  id: 'uuid',
  status: 'text',
  title: 'text',
  instructions: 'text',
  category: 'text',
  bounty_atomic: 'bigint',
  token: 'text',
  network: 'text',
  decimals: 'smallint',
  deadline: 'timestamptz',
  publisher_wallet: 'text',
  publisher_type: 'text',
  publisher_agent_id: 'bigint',
  target: 'text',
  evidence_required: 'text',
  evidence_optional: 'text',
  location_hint: 'text',
  min_reputation: 'double precision',
  escrow_status: 'text',
  payment_auth: 'text',
  idempotency_key: 'text',
  body_hash: 'text',
  created_at: 'timestamptz',
  policy: 'jsonb',
  event_id: 'uuid',
  event_type: 'text',
  event_data: 'jsonb',
  unit: 'text',
  price_atomic: 'bigint',
  cap_atomic: 'bigint',
}
const arrays = Object.values(given).map((type, index) => `$${String(index + 1)}::${type}[]`)

/** Tasks with their history, events and meters; answers the ids of those that were not published before. */
const insertTasks = `with given as (
  select * from unnest(${arrays.join(', ')}) with ordinality as g (${Object.keys(given).join(', ')}, place)
), task as (
  insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, publisher_type, publisher_agent_id, target, evidence_required, evidence_optional, location_hint,
    min_reputation, escrow_status, payment_auth, idempotency_key, body_hash, created_at, updated_at, policy)
  select id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, coalesce((select party from workers w where w.wallet = g.publisher_wallet and party = 'robot'),
      publisher_type), publisher_agent_id, target, string_to_array(evidence_required, ','),
    string_to_array(evidence_optional, ','), location_hint, min_reputation, escrow_status, payment_auth,
    idempotency_key, body_hash, created_at, created_at, policy
  from given g order by place
  on conflict (publisher_wallet, idempotency_key) where idempotency_key is not null do nothing returning id
), history as (insert into task_history (task_id, status, at)
  select id, status, created_at from given join task using (id)),
event as (insert into outbox (id, type, task_id, data, at)
  select event_id, event_type, id, event_data, created_at from given join task using (id)
  where event_id is not null order by place),
meter as (insert into meter_terms (task_id, unit, price_atomic, cap_atomic)
  select id, unit, price_atomic, cap_atomic from given join task using (id) where unit is not null)
select id from task`

/** A pool, or the one connection of a transaction. */
type Db = { query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> }
type Publish = Store['publish']
type Draft = { readonly task: Parameters<Publish>[0]; readonly event: Parameters<Publish>[1]; readonly key: Key | null }

/** So many are written at once at the most; a task may have some kilobytes. */
const mostTogether = 50

/**
 * The hottest write: task, history and event in one statement. Those that come while others are written share the next
 * statement and its commit (decision 0257); what the database does not take is tried alone.
 */
export function createSharedPublish(pool: Pool): Publish {
  const write = createTogether((drafts: readonly Draft[]) => writeAll(pool, drafts), {
    most: mostTogether,
    isOfOne: (error) => troubleOf(error) === null,
  })
  return async (task, event, key) => {
    const isNew = await write({ task, event, key })
    noteWritten()
    return ended(pool, task, key, isNew)
  }
}

/** The same on the one connection of a transaction. */
export function createPublish(db: Db): Publish {
  return async (task, event, key) => {
    const [isNew = false] = await writeAll(db, [{ task, event, key }])
    return ended(db, task, key, isNew)
  }
}

async function ended(db: Db, task: Draft['task'], key: Key | null, isNew: boolean): ReturnType<Publish> {
  if (isNew || key === null) return { task, replayed: false }
  return { task: await replay(db, task.publisherWallet, key), replayed: true }
}

/** For each, whether it is new. */
async function writeAll(db: Db, drafts: readonly Draft[]): Promise<readonly boolean[]> {
  // In one order of their keys, so that two servers with the same ones wait for one another and not in a ring.
  const rows = drafts.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)).map(valuesOf)
  const values = arrays.map((_, column) => rows.map((row) => row[column]))
  const written = await db.query<{ id: string }>({ name: 'tasks-publish', text: insertTasks, values })
  const ids = new Set(written.rows.map(({ id }) => id))
  return drafts.map(({ task }) => ids.has(task.id))
}

const orderOf = ({ task, key }: Draft): string => `${task.publisherWallet} ${key?.key ?? ''} ${task.id}`

function valuesOf({ task, event, key }: Draft): readonly unknown[] {
  const { asset, atomic } = task.bounty
  return [
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
    task.evidenceRequired.join(','),
    task.evidenceOptional.join(','),
    task.locationHint,
    task.minReputation,
    task.escrowStatus,
    task.paymentAuth,
    key?.key ?? null,
    key?.bodyHash ?? null,
    task.createdAt,
    task.policy,
    ...(event === null ? [null, null, null] : [event.id, event.type, JSON.stringify(event.data)]),
    ...(task.meter === undefined ? [null, null, null] : [task.meter.unit, task.meter.price, task.meter.cap]),
  ]
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
