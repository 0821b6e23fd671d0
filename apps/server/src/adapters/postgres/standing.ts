import { publicStatuses, type Amount, type Earning, type PageRequest, type Store } from '@ergon/core'
import type { Pool } from 'pg'
import { countedBy, namedRows, type NamedRows } from './named-rows.ts'
import { toRating, toSubmission, toTaskView, type RatingRow, type SubmissionRow, type TaskViewRow } from './rows.ts'
import { taskViewColumns, taskViewJoins } from './task-view-columns.ts'
import { pageOf } from './page-of.ts'

type AssetRow = { network: string; token: string; decimals: number }
type EarningRow = AssetRow & {
  id: string
  task_id: string
  title: string
  gross: bigint
  payout: bigint
  tx_hash: string | null
  at: Date
}
type TotalRow = AssetRow & { atomic: bigint; count: bigint }

/** Work that is not paid yet: whole bounties, and of metered work what was accepted so far. */
const pendingText = `select t.network, t.token, t.decimals,
    sum(coalesce(c.cumulative_atomic, t.bounty_atomic))::bigint as atomic, count(*)
  from tasks t left join meter_terms m on m.task_id = t.id left join channels c on c.task_id = t.id
  where t.executor_id = $1 and t.payment_tx is null
    and t.status in ('accepted', 'in_progress', 'submitted', 'verifying', 'disputed')
    and (m.task_id is null or c.cumulative_atomic > 0)
  group by 1, 2, 3 order by 1, 2`

/** What belongs to one wallet: its tasks, submissions, earnings and ratings, newest first. */
export function createStanding(
  pool: Pool,
): Pick<Store, 'workerTasks' | 'earnings' | 'submissionsOf' | 'receivedRatings' | 'countedRatings'> {
  const all = namedRows(pool)
  const count = countedBy(all)
  return {
    async workerTasks({ executorId, status, anyStatus }, page) {
      const statuses = anyStatus ? null : [...publicStatuses]
      // Of sessions the two alone are told (decision 0204).
      const seen = `($3::text[] is null or (t.status = any($3) and t.evidence_required <> '{}'))`
      const own = `t.executor_id = $1 and ($2::text is null or t.status = $2) and ${seen}`
      const [rows, total] = await Promise.all([
        all<TaskViewRow>(
          'worker-tasks',
          `select ${taskViewColumns} from tasks t ${taskViewJoins} where ${own} and ($4::uuid is null or t.id < $4)
            order by t.id desc limit $5 offset $6`,
          [executorId, status, statuses, ...place(page)],
        ),
        count('worker-tasks-total', `tasks t where ${own}`, [executorId, status, statuses]),
      ])
      return pageOf(rows, total, page, toTaskView)
    },
    async earnings(executorId, page) {
      const [rows, paid, pending] = await Promise.all([
        all<EarningRow>(
          'earnings',
          `select e.id, e.task_id, t.title, ${paidOut} as gross, e.amount_atomic as payout, e.network, e.token,
              e.decimals, e.tx_hash, e.at
            from ${payouts} and ($2::uuid is null or e.id < $2) order by e.id desc limit $3 offset $4`,
          [executorId, ...place(page)],
        ),
        all<TotalRow>(
          'earnings-paid',
          `select e.network, e.token, e.decimals, sum(e.amount_atomic)::bigint as atomic, count(*) from ${payouts}
            group by 1, 2, 3 order by 1, 2`,
          [executorId],
        ),
        all<TotalRow>('earnings-pending', pendingText, [executorId]),
      ])
      const total = paid.reduce((sum, row) => sum + Number(row.count), 0)
      return {
        page: pageOf(rows, total, page, toEarning),
        paid: paid.map((row) => ({ paid: amount(row, row.atomic), count: Number(row.count) })),
        pending: pending.map((row) => ({ gross: amount(row, row.atomic), count: Number(row.count) })),
      }
    },
    async submissionsOf(wallet, { status, taskId }, page) {
      const from = `${mine} join submissions s using (id) join tasks t on t.id = s.task_id
        where ($2::text is null or s.status = $2) and ($3::uuid is null or s.task_id = $3)`
      const [rows, total] = await Promise.all([
        all<SubmissionRow & { publisher_wallet: string }>(
          'submissions-of',
          `select s.*, t.publisher_wallet from ${from} and ($4::uuid is null or s.id < $4) order by s.id desc
            limit $5 offset $6`,
          [wallet, status, taskId, ...place(page)],
        ),
        count('submissions-of-total', from, [wallet, status, taskId]),
      ])
      return pageOf(rows, total, page, (row) => ({ ...toSubmission(row), publisherWallet: row.publisher_wallet }))
    },
    ...ratingMeans(all),
  }
}

function ratingMeans(all: NamedRows): Pick<Store, 'receivedRatings' | 'countedRatings'> {
  return {
    async receivedRatings(wallet, direction, { limit, offset }) {
      const received = `${counted} and r.ratee = $1 and r.direction = $2`
      const [rows, means] = await Promise.all([
        all<RatingRow & { updated_at: Date | null }>(
          'ratings-received',
          `select r.* from ${received} order by r.id desc limit $3 offset $4`,
          [wallet, direction, limit + 1, offset],
        ),
        all<{ average: number | null; count: bigint }>(
          'ratings-mean',
          `select avg(${score}) as average, count(*) from ${received}`,
          [wallet, direction],
        ),
      ])
      const total = Number(means[0]?.count ?? 0n)
      const latest = rows.slice(0, limit).map((row) => ({ ...toRating(row), at: row.updated_at }))
      return {
        average: means[0]?.average ?? null,
        count: total,
        latest: { rows: latest, total, offset, hasMore: rows.length > limit },
      }
    },
    async countedRatings(network, agentId, direction) {
      const [means] = await all<{ average: number | null; count: bigint }>(
        'ratings-counted',
        `select avg(${score}) as average, count(*)
          from ${counted} and r.terms->>'network' = $1 and (r.terms->>'agentId')::bigint = $2
            and ($3::text is null or r.direction = $3)`,
        [network, agentId, direction],
      )
      return { score: means?.average ?? null, count: Number(means?.count ?? 0n) }
    },
  }
}

const score = "(r.terms->>'score')::double precision"
/**
 * Ratings that count: on chain, of a task whose money moved, from 0 to 100; only a party of the task has a row
 * (decision 0093).
 */
const counted = `ratings r join tasks t on t.id = r.task_id
  where r.status = 'confirmed' and t.payment_tx is not null and ${score} between 0 and 100`
const payouts =
  "payment_events e join tasks t on t.id = e.task_id where t.executor_id = $1 and e.type = 'disburse_worker' and e.status = 'success' and e.amount_atomic is not null"
/**
 * What the payout is a share of: what was captured with it, which of a split is a part of the bounty (decision 0154);
 * of metered work what its channel settled with it; of a direct payment all that was agreed, since its fee is a
 * transfer of its own.
 */
const paidOut = `coalesce((select m.atomic::bigint from movements m
    where m.network = e.network and m.tx_hash = e.tx_hash and m.task_id = t.id and m.kind = 'captured'
    order by m.log_index limit 1),
  (select s.amount_atomic from payment_events s
    where s.task_id = t.id and s.type = 'settle' and s.tx_hash = e.tx_hash
      and exists (select from meter_terms x where x.task_id = t.id) order by s.id limit 1),
  t.captured_atomic, t.bounty_atomic)`
/** Two keyed reads instead of one condition over two tables. */
const mine = `(select s.id from submissions s join workers w on w.id = s.executor_id where w.wallet = $1
  union select s.id from tasks t join submissions s on s.task_id = t.id where t.publisher_wallet = $1) mine`

/** Cursor, one row more than asked for, and the offset where no cursor says it. */
function place({ cursor, limit, offset }: PageRequest): [string | null, number, number] {
  return [cursor, limit + 1, cursor === null ? offset : 0]
}

function amount({ network, token, decimals }: AssetRow, atomic: bigint): Amount {
  return { atomic, asset: { symbol: token, network, decimals } }
}

function toEarning(row: EarningRow): Earning {
  return {
    taskId: row.task_id,
    title: row.title,
    gross: amount(row, row.gross),
    payout: amount(row, row.payout),
    txHash: row.tx_hash,
    paidAt: row.at,
  }
}
