import type { Asset, Store } from '@ergon/core'
import type { Pool } from 'pg'
import { firstLease, leaseKeeperOf, queues } from './lease-keeper.ts'
import { openMove } from './open-move.ts'
import { orderNetwork } from './order-network.ts'
import { toRating, toSettlement, type RatingRow, type SettlementRow } from './rows.ts'

type DueRows = Pick<
  Store,
  'leaseSettlements' | 'dueTasks' | 'leaseRatings' | 'owedFees' | 'sweepAfter' | 'leaseSweep' | 'paymentsHealth'
>

/** Rows whose time has come. A lease moves the due time, so another process passes over the row until it runs out. */
export function createDueRows(pool: Pool): DueRows {
  return {
    ...sweepRows(pool),
    async leaseSettlements(network, now, leaseUntil, sentUntil, limit) {
      // The fee of a direct payment and the remainder of a split wait until the worker is paid. A copy of what waits
      // for others to die is sent under their deadline.
      const { rows } = await pool.query<SettlementRow>({
        name: 'settlements-lease',
        text: `update settlements set due_at = $2, attempts = attempts + 1, updated_at = $1,
              sent_until = case when status = 'in_doubt' and code is not null then sent_until
                else greatest(sent_until, $4) end
            where id = any(array(
            select s.id from settlements s
            where s.status in ('claimed', 'in_doubt') and s.due_at <= $1 and ${orderNetwork} = $5
              and (s.purpose <> 'fee'
                or exists (select 1 from settlements p
                  where p.submission_id = s.submission_id and p.purpose = 'payout' and p.status = 'confirmed'))
              and (s.purpose <> 'remainder'
                or not exists (select 1 from settlements a
                  where a.subject = s.subject and a.purpose = 'award' and a.status in ('claimed', 'in_doubt')))
            order by s.due_at limit $3 for update skip locked)) returning *`,
        values: [now, leaseUntil, limit, sentUntil, network],
      })
      return rows.map(toSettlement)
    },
    async dueTasks(network, now, limit) {
      const { rows } = await pool.query<{ id: string }>({
        name: 'tasks-due',
        text: `select t.id from tasks t
          where t.deadline <= $1 and t.network = $3
            and t.status in ('published', 'accepted', 'in_progress', 'submitted', 'verifying', 'disputed')
            and not exists (select 1 from settlements s
              where s.task_id = t.id and ${openMove})
            and not exists (select 1 from task_timers x where x.task_id = t.id and x.kind = 'outcome')
            and not exists (select 1 from channels c where c.task_id = t.id and c.status = 'closing')
            order by t.deadline limit $2`,
        values: [now, limit, network],
      })
      return rows.map(({ id }) => id)
    },
    async leaseRatings(network, now, leaseUntil, limit) {
      const { rows } = await pool.query<RatingRow>({
        name: 'ratings-lease',
        text: `update ratings set due_at = $2, attempts = attempts + 1
          where id = any(array(select id from ratings where status = 'due' and due_at <= $1 and terms->>'network' = $4
            order by due_at limit $3 for update skip locked)) returning *`,
        values: [now, firstLease(now, leaseUntil), limit, network],
      })
      const held = rows.map(({ id }) => ({ keys: [id], due: firstLease(now, leaseUntil) }))
      leaseKeeperOf(pool).keep(queues.ratings, held, leaseUntil.getTime() - now.getTime())
      return rows.map(toRating)
    },
    ...waitingMoney(pool),
  }
}

type OpenRow = {
  /** Null in the row that tells of the books. */
  readonly network: string | null
  readonly in_flight: bigint
  readonly in_doubt: bigint
  readonly oldest: Date | null
  readonly unbalanced: bigint
}

const healthText = `select network, count(*) filter (where status = 'claimed') as in_flight,
    count(*) filter (where status = 'in_doubt') as in_doubt, min(created_at) as oldest, 0::bigint as unbalanced
  from (select coalesce(${orderNetwork}, 'unknown') as network, s.status, s.created_at from settlements s
      where s.status in ('claimed', 'in_doubt')
    union all select network, status, created_at from cash_outs where status in ('claimed', 'in_doubt')) open
  group by network
  union all select null, 0, 0, null, count(*)
    from (select 1 from ledger_totals group by network, token having sum(balance) <> 0
      union all select 1 from money_findings where scope = 'ledger' and resolved_at is null) as off
  order by network`

/** What is captured or sent and not yet where it belongs. */
function waitingMoney(pool: Pool): Pick<DueRows, 'owedFees' | 'paymentsHealth'> {
  return {
    async owedFees(network, limit) {
      const { rows } = await pool.query<{
        id: string
        bounty_atomic: bigint
        token: string
        network: string
        decimals: number
        payment_block: bigint
        updated_at: Date
        log_index: number
      }>({
        name: 'fees-owed',
        // The log is where it was mined last, the task where it was first.
        text: `select t.id, coalesce(captured_atomic, bounty_atomic) as bounty_atomic, token, t.network, decimals,
            coalesce(m.block_number, t.payment_block) as payment_block, updated_at,
            coalesce(m.log_index, -1) as log_index
          from tasks t left join lateral (select m.block_number, m.log_index from movements m
              where m.network = t.network and m.tx_hash = t.payment_tx and m.task_id = t.id
              order by m.block_number desc, m.log_index desc limit 1) m on true
          where t.payment_block is not null and fee_tx is null and escrow_status = 'released' and t.network = $2
          order by t.payment_block limit $1`,
        values: [limit, network],
      })
      return rows.map((row) => ({
        taskId: row.id,
        bounty: {
          atomic: row.bounty_atomic,
          asset: { symbol: row.token, network: row.network, decimals: row.decimals },
        },
        captured: { blockNumber: row.payment_block, logIndex: row.log_index },
        since: row.updated_at,
      }))
    },
    async paymentsHealth(now) {
      const { rows } = await pool.query<OpenRow>({ name: 'payments-health', text: healthText })
      const secondsSince = (at: Date): number => Math.max(0, (now.getTime() - at.getTime()) / 1_000)
      const byNetwork = rows.flatMap(({ network, in_flight: inFlight, in_doubt: inDoubt, oldest }) =>
        network === null || oldest === null
          ? []
          : [{ network, inFlight: Number(inFlight), inDoubt: Number(inDoubt), oldestSeconds: secondsSince(oldest) }],
      )
      const sum = (of: (one: (typeof byNetwork)[number]) => number): number =>
        byNetwork.reduce((all, one) => all + of(one), 0)
      return {
        inFlight: sum(({ inFlight }) => inFlight),
        inDoubt: sum(({ inDoubt }) => inDoubt),
        oldestSeconds: byNetwork.length === 0 ? null : Math.max(...byNetwork.map((one) => one.oldestSeconds)),
        byNetwork,
        ledgerBalanced: rows.every(({ unbalanced }) => unbalanced === 0n),
      }
    },
  }
}

function sweepRows(pool: Pool): Pick<DueRows, 'sweepAfter' | 'leaseSweep'> {
  return {
    async sweepAfter(asset, { blockNumber, logIndex }) {
      const { rows } = await pool.query<{ tx_hash: string }>({
        name: 'sweep-after',
        text: sweepAfterText,
        values: [asset.network, asset.symbol, blockNumber, logIndex],
      })
      return rows[0] === undefined ? null : { txHash: rows[0].tx_hash }
    },
    async leaseSweep(fresh, now, leaseUntil) {
      await pool.query({
        name: 'sweep-open',
        text: `insert into sweeps (id, network, token, decimals, key, status, due_at, updated_at)
          values ($1, $2, $3, $4, $5, 'open', $6, $6) on conflict do nothing`,
        values: [fresh.id, fresh.asset.network, fresh.asset.symbol, fresh.asset.decimals, fresh.key, now],
      })
      const { rows } = await pool.query<{ id: string; key: string; attempts: number }>({
        name: 'sweep-lease',
        text: `update sweeps set due_at = $4, attempts = attempts + 1, updated_at = $3
          where network = $1 and token = $2 and status = 'open' and due_at <= $3 returning id, key, attempts`,
        values: [fresh.asset.network, fresh.asset.symbol, now, firstLease(now, leaseUntil)],
      })
      const row = rows[0]
      const held = rows.map(({ id }) => ({ keys: [id], due: firstLease(now, leaseUntil) }))
      leaseKeeperOf(pool).keep(queues.sweeps, held, leaseUntil.getTime() - now.getTime())
      const asset: Asset = fresh.asset
      return row === undefined ? null : { id: row.id, asset, key: row.key, attempts: row.attempts }
    },
  }
}

/** Within one block the order of the logs decides; where nobody wrote it down, only a later block is certain. */
const sweepAfterText = `select tx_hash from distributions where network = $1 and token = $2
  and (block_number > $3 or (block_number = $3 and $4::int >= 0 and log_index > $4::int))
  order by block_number, log_index limit 1`
