import type { Pool } from 'pg'
import { orderNetwork } from './order-network.ts'

/** What waits in one queue, of one network where a chain is waited for. */
export type Queue = {
  readonly name: QueueName
  /** Null where no chain is waited for; `unserved` for all that are not served any more. */
  readonly network: string | null
  /** Counted up to a thousand. */
  readonly waiting: number
  /** How long the first of them has waited beyond its time, seconds; null where none waits. */
  readonly lateSeconds: number | null
}

const most = 1_000
const unserved = 'unserved'

/**
 * Each by an index of its own, in the order in which it is worked off; `at` is since when a row waits. The time is
 * `now()`: what changes within a statement, such as `clock_timestamp()`, bounds no index.
 */
const rowsOf = {
  webhooks: `select due_at as at from webhook_deliveries where status = 'pending' order by webhook_id, due_at`,
  verifications: `select verification_due_at as at from submissions where verification_due_at <= now()
    order by verification_due_at`,
  notices: 'select due_at as at from push_subscriptions where due_at <= now() order by due_at',
  mails: 'select due_at as at from mail_subscriptions where due_at <= now() order by due_at',
} as const

type OfNetwork = { readonly network: string; readonly from: string; readonly at: string; readonly orderBy?: string }
/** What waits for a chain: done network by network, and late network by network (decision 0301). */
const ofNetworks = {
  ratings: {
    network: "r.terms->>'network'",
    from: "ratings r where r.status in ('sending', 'due')",
    at: 'coalesce(r.sent_at, r.written_at)',
  },
  fees: {
    network: 't.network',
    from: "tasks t where t.payment_block is not null and t.fee_tx is null and t.escrow_status = 'released'",
    at: 't.updated_at',
    orderBy: 't.payment_block',
  },
  proofs: {
    network: orderNetwork,
    from: "settlements s where s.status = 'confirmed' and s.tx_hash is not null and s.proof_due_at <= now()",
    at: 's.proof_due_at',
  },
  timers: {
    // Asked of each timer that is due, so that no plan reads the tasks.
    network: '(select k.network from tasks k where k.id = t.task_id)',
    from: 'task_timers t where t.due_at <= now()',
    at: 't.due_at',
  },
} as const satisfies Readonly<Record<string, OfNetwork>>

export type QueueName = keyof typeof rowsOf | keyof typeof ofNetworks

const counted = (rows: string): string => `select count(*)::int as waiting,
  extract(epoch from now() - min(at))::float8 as late from (${rows} limit ${String(most)}) q`
const rowsAt = ({ from, at, orderBy = at }: OfNetwork, whose: string): string =>
  `select ${at} as at from ${from} and ${whose} order by ${orderBy}`

const text = [
  ...Object.entries(rowsOf).map(
    ([name, rows]) => `select '${name}' as name, null as network, waiting, late from (${counted(rows)}) c`,
  ),
  ...Object.entries(ofNetworks).map(
    ([name, queue]) => `select '${name}', served.network, waiting, late from unnest($1::text[]) served (network)
      cross join lateral (${counted(rowsAt(queue, `${queue.network} = served.network`))}) c`,
  ),
  // What was proven on a network that is not served any more waits for nothing.
  ...Object.entries(ofNetworks)
    .filter(([name]) => name !== 'proofs')
    .map(
      ([name, queue]) => `select '${name}', '${unserved}', waiting, late
        from (${counted(rowsAt(queue, `not (${queue.network} = any($1))`))}) c where waiting > 0`,
    ),
].join('\nunion all ')

/** What waits for this deployment to go on with it. A long queue costs no more than a thousand rows of each network. */
export async function readQueues(pool: Pool, served: readonly string[]): Promise<readonly Queue[]> {
  const { rows } = await pool.query<Omit<Queue, 'lateSeconds'> & { readonly late: number | null }>({
    name: 'queues',
    text,
    values: [served],
  })
  return rows.map(({ late, ...queue }) => ({ ...queue, lateSeconds: late === null ? null : Math.max(0, late) }))
}
