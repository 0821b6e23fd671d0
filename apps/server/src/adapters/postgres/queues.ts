import type { Pool } from 'pg'
import { orderNetwork } from './order-network.ts'

/** What waits in one queue. */
export type Queue = {
  /** Counted up to a thousand. */
  readonly waiting: number
  /** How long the first of them has waited beyond its time, seconds; null where none waits. */
  readonly lateSeconds: number | null
}

const most = 1_000

/**
 * Each by an index of its own, in the order in which it is worked off; `at` is since when a row waits. The time is
 * `now()`: what changes within a statement, such as `clock_timestamp()`, bounds no index.
 */
const rowsOf = {
  webhooks: `select due_at as at from webhook_deliveries where status = 'pending' order by webhook_id, due_at`,
  ratings: `select coalesce(sent_at, written_at) as at from ratings where status in ('sending', 'due')
    order by coalesce(sent_at, written_at)`,
  fees: `select updated_at as at from tasks where payment_block is not null and fee_tx is null
    and escrow_status = 'released' order by payment_block`,
  proofs: `select due.at from unnest($1::text[]) served (network) cross join lateral (
      select s.proof_due_at as at from settlements s where s.status = 'confirmed' and s.tx_hash is not null
        and s.proof_due_at <= now() and ${orderNetwork} = served.network order by s.proof_due_at
        limit ${String(most)}) due order by due.at`,
  verifications: `select verification_due_at as at from submissions where verification_due_at <= now()
    order by verification_due_at`,
  timers: 'select due_at as at from task_timers where due_at <= now() order by due_at',
  notices: 'select due_at as at from push_subscriptions where due_at <= now() order by due_at',
  mails: 'select due_at as at from mail_subscriptions where due_at <= now() order by due_at',
} as const

export type QueueName = keyof typeof rowsOf
// The keys of that table, which nothing adds to.
const queueNames = Object.keys(rowsOf) as readonly QueueName[]

const text = queueNames
  .map(
    (name) => `select '${name}' as name, count(*)::int as waiting,
      extract(epoch from now() - min(at))::float8 as late from (${rowsOf[name]} limit ${String(most)}) q`,
  )
  .join('\nunion all ')

/**
 * What waits for this deployment to go on with it. A long queue costs no more than a thousand rows; what was proven on
 * a network that is not served any more waits for nothing.
 */
export async function readQueues(pool: Pool, served: readonly string[]): Promise<ReadonlyMap<QueueName, Queue>> {
  const { rows } = await pool.query<{ name: QueueName; waiting: number; late: number | null }>({
    name: 'queues',
    text,
    values: [served],
  })
  return new Map(
    rows.map(({ name, waiting, late }) => [name, { waiting, lateSeconds: late === null ? null : Math.max(0, late) }]),
  )
}
