/**
 * The columns of a published task in the order of their values; nonce and event go with it in one statement and one
 * commit.
 */
export const publishColumns = [
  'id',
  'status',
  'title',
  'instructions',
  'category',
  'bounty_atomic',
  'token',
  'network',
  'decimals',
  'deadline',
  'publisher_wallet',
  'publisher_type',
  'publisher_agent_id',
  'target',
  'evidence_required',
  'evidence_optional',
  'location_hint',
  'min_reputation',
  'escrow_status',
  'created_at',
  'updated_at',
] as const

const placeholders = publishColumns.map((_, index) => `$${index + 1}`).join(', ')
const after = (offset: number): string => `$${publishColumns.length + offset}`

export const publishStatement = `with nonce as (
  insert into nonces (key, expires_at) values (${after(1)}, ${after(2)}) on conflict do nothing returning key
), task as (
  insert into tasks (${publishColumns.join(', ')}) select ${placeholders} from nonce returning id
), event as (
  insert into outbox (id, type, task_id, data, at) select ${after(3)}, 'task.created', id, ${after(4)}, $20 from task)
select id from task`

const columns = `t.id, t.status, t.title, t.instructions, t.category, t.bounty_atomic, t.token, t.network, t.decimals,
  t.deadline, t.publisher_wallet, t.publisher_type, t.publisher_agent_id, t.target, t.executor_id,
  t.evidence_required, t.evidence_optional, t.location_hint,
  t.min_reputation, t.escrow_status, t.escrow_tx, t.payment_tx, t.refund_tx, t.created_at, t.updated_at`

/** The newest tasks after a key, and one more to know whether there is a next page. */
export const listStatement = `select ${columns} from tasks t where t.status = 'published' and t.id < $1
  order by t.id desc limit $2`

/** One task by its id. */
export const getStatement = `select ${columns} from tasks t where t.id = $1`

/** One unit of work and the nonce of its request, in one statement and one commit. */
export const tickStatement = `with nonce as (
  insert into nonces (key, expires_at) values ($1, $2) on conflict do nothing returning key
)
insert into bare_ticks (id, task_id, cumulative, signature, evidence, at) select $3, $4, $5, $6, $7, $8 from nonce`
