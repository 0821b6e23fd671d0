import type { Payment } from '@ergon/core'
import type { Pool } from 'pg'
import { toPayment } from './rows.ts'

/** Payments that the escrow holds, or may hold, under the same contracts; `sample` is the newest of them. */
export type HeldPayments = { readonly count: number; readonly sample: Payment }
/** Channels that are not given back yet; `sample` is the newest with a voucher that this deployment signed. */
export type OpenChannels = {
  readonly network: string
  readonly payee: string
  readonly count: number
  readonly sample: { readonly id: string; readonly cumulative: bigint; readonly signature: string } | null
}
/** How many jobs or payments of a kind a network has. */
export type Counted = { readonly network: string; readonly count: number }

/** What this deployment still has to bring to an end, by where and how. */
export type OpenMoney = {
  readonly held: readonly HeldPayments[]
  readonly channels: readonly OpenChannels[]
  /** Jobs that are worked on and will be paid at their approval. */
  readonly promised: readonly Counted[]
  /** Settlements and cash-outs that have not ended. */
  readonly moving: readonly Counted[]
  /** Networks whose operator contract keeps fees. */
  readonly fees: readonly Counted[]
  /** Jobs that nobody was assigned to: no money is in them. */
  readonly published: readonly Counted[]
}

/** Reads it by indexes alone: nothing of it sums history. */
export async function readOpenMoney(pool: Pool): Promise<OpenMoney> {
  const counted = async (text: string): Promise<readonly Counted[]> => (await pool.query<Counted>(text)).rows
  const [held, channels, promised, moving, fees, published] = await Promise.all([
    pool.query<{ count: number; sample: unknown }>(heldText),
    pool.query<ChannelsRow>(channelsText),
    counted(promisedText),
    counted(movingText),
    counted(feesText),
    counted(`select network, count(*)::int as count from tasks where status = 'published' group by 1 order by 1`),
  ])
  return {
    held: held.rows.map(({ count, sample }) => ({ count, sample: toPayment(sample) })),
    channels: channels.rows.map(({ id, cumulative, signature, ...row }) => ({
      ...row,
      sample: id === null || cumulative === null || signature === null ? null : { id, cumulative, signature },
    })),
    ...{ promised, moving, fees, published },
  }
}

/** A network where agents are known, while none is known on this one; null: one is, or nobody is known at all. */
export async function agentsElsewhere(pool: Pool, network: string): Promise<string | null> {
  const { rows: here } = await pool.query('select from identities where network = $1 limit 1', [network])
  if (here.length > 0) return null
  const { rows } = await pool.query<{ network: string }>('select network from identities limit 1')
  return rows[0]?.network ?? null
}

type ChannelsRow = {
  network: string
  payee: string
  count: number
  id: string | null
  cumulative: bigint | null
  signature: string | null
}

const heldText = `select held.count, e.payment as sample
  from (select count(*)::int as count, max(t.id::text)::uuid as newest
    from tasks t join escrows e on e.task_id = t.id
    where t.escrow_status in ('authorizing', 'authorized', 'releasing', 'refunding')
    group by e.payment->>'network', e.payment->>'operator', e.payment->>'token') held
  join escrows e on e.task_id = held.newest order by held.newest`

const channelsText = `select c.network, c.payee, count(*)::int as count,
    s.id, s.cumulative_atomic as cumulative, s.signature
  from channels c left join lateral (select id, cumulative_atomic, signature from channels one
    where one.network = c.network and one.payee = c.payee and one.status in ('open', 'closing')
      and one.voucher_signer = 'operator' and one.signature is not null
    order by one.updated_at desc limit 1) s on true
  where c.status in ('open', 'closing') group by 1, 2, 4, 5, 6 order by 1, 2`

const promisedText = `select t.network, count(*)::int as count from tasks t
  where t.status in ('accepted', 'in_progress', 'submitted', 'verifying', 'disputed') and t.escrow_status = 'none'
    and not exists (select from meter_terms m where m.task_id = t.id)
  group by 1 order by 1`

const movingText = `select network, sum(count)::int as count from (
    select t.network, count(*) as count from settlements s join tasks t on t.id = s.task_id
      where s.status in ('claimed', 'in_doubt') group by 1
    union all
    select network, count(*) from cash_outs where status in ('claimed', 'in_doubt') group by 1) moving
  group by 1 order by 1`

const feesText = `select network, 1 as count from ledger_totals group by network having sum(operator) > 0 order by 1`
