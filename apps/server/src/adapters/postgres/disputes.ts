import type { DisputeFilter, DisputeStore, RulingSeeker, DisputeTx, DisputeView, Statement } from '@ergon/core'
import type { Pool } from 'pg'
import { namedRows } from './named-rows.ts'
import { toDispute, type DisputeRow } from './rows.ts'
import { pageOf } from './page-of.ts'
import type { Query, Tell } from './tx-query.ts'

type ViewRow = DisputeRow & {
  publisher_wallet: string
  executor_id: string
  worker_wallet: string
  bounty_atomic: bigint
  token: string
  network: string
  decimals: number
  payment_tx: string | null
  refund_tx: string | null
  captured_atomic: bigint | null
}
type StatementRow = {
  id: string
  dispute_id: string
  side: Statement['side']
  statement: string
  links: string[]
  created_at: Date
}

const columns =
  'd.*, t.publisher_wallet, s.executor_id, w.wallet as worker_wallet, t.bounty_atomic, t.token, t.network, t.decimals, t.payment_tx, t.refund_tx, t.captured_atomic'
const joins =
  'from disputes d join tasks t on t.id = d.task_id join submissions s on s.id = d.submission_id join workers w on w.id = s.executor_id'

/** A condition for each filter that is given: one statement for all of them would have one plan for all of them. */
function conditions(
  { wallet, status, taskId, ruler }: DisputeFilter,
  identityNetwork: string,
): {
  readonly text: string
  readonly values: readonly unknown[]
} {
  const values: unknown[] = []
  const given = (value: unknown): string => `$${String(values.push(value))}`
  const parts = [
    ...(wallet === null ? [] : [`d.id = any(array(${ofWallet(given(wallet))}))`]),
    ...(status === null ? [] : [`d.status = ${given(status)}`]),
    ...(taskId === null ? [] : [`d.task_id = ${given(taskId)}`]),
    ...(ruler === undefined ? [] : [ruledBy(ruler, identityNetwork, given)]),
  ]
  return { text: parts.length === 0 ? 'true' : parts.join(' and '), values }
}

const ofWallet = (wallet: string): string =>
  `select x.id from disputes x join tasks p on p.id = x.task_id where p.publisher_wallet = ${wallet}
    union select x.id from disputes x join submissions h on h.id = x.submission_id
      where h.executor_id = (select id from workers where wallet = ${wallet})`

/** Open, not ruled on, of a task that names no other, and neither side is the arbiter nor of the same owner. */
function ruledBy(ruler: RulingSeeker, identityNetwork: string, given: (value: unknown) => string): string {
  const wallet = given(ruler.wallet)
  const agents = `any(${given(ruler.agentIds)}::bigint[])`
  const payout = `${given(ruler.payoutAddress)}::text`
  const network = given(identityNetwork)
  return `d.status = 'open' and not exists (select 1 from rulings r where r.dispute_id = d.id)
    and exists (select 1 from tasks p join submissions h on h.id = d.submission_id
      join workers k on k.id = h.executor_id left join identities i on i.wallet = k.wallet and i.network = ${network}
      where p.id = d.task_id and p.status = 'disputed' and coalesce(p.policy->>'arbiter', ${wallet}) = ${wallet}
        and ${wallet} not in (p.publisher_wallet, k.wallet)
        and coalesce(p.publisher_agent_id = ${agents}, false) is false
        and coalesce(i.agent_id = ${agents}, false) is false
        and coalesce(k.solana_payout_address = ${payout}, false) is false)`
}

/** Disputes with their parties; ids are UUIDv7, so the newest comes first by its key. */
export function createDisputes(pool: Pool, identityNetwork: string): DisputeStore {
  const all = namedRows(pool)
  return {
    async dispute(id) {
      const row = (await all<ViewRow>('dispute', `select ${columns} ${joins} where d.id = $1`, [id]))[0]
      if (row === undefined) return null
      const statements = await all<StatementRow>(
        'dispute-statements',
        'select * from dispute_statements where dispute_id = $1 order by seq',
        [id],
      )
      return toView(row, statements.map(toStatement))
    },
    async disputes(filter, page) {
      const { text: where, values } = conditions(filter, identityNetwork)
      const { rows: counted } = await pool.query<{ count: bigint }>(`select count(*) from disputes d where ${where}`, [
        ...values,
      ])
      const [cursor, limit, offset] = [1, 2, 3].map((place) => `$${String(values.length + place)}`)
      const { rows } = await pool.query<ViewRow>(
        `with shown as materialized (select * from disputes d
            where ${where} and (${cursor}::uuid is null or d.id < ${cursor})
            order by d.id desc limit ${limit} offset ${offset})
          select ${columns} from shown ${joins.replace('from disputes d', 'd')} order by d.id desc`,
        [...values, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
      )
      return pageOf(rows, Number(counted[0]?.count ?? 0n), page, (row) => toView(row, []))
    },
  }
}

function toView(row: ViewRow, statements: readonly Statement[]): DisputeView {
  return {
    ...toDispute(row),
    publisherWallet: row.publisher_wallet,
    executorId: row.executor_id,
    workerWallet: row.worker_wallet,
    bounty: { atomic: row.bounty_atomic, asset: { symbol: row.token, network: row.network, decimals: row.decimals } },
    paymentTx: row.payment_tx,
    refundTx: row.refund_tx,
    captured: row.captured_atomic,
    statements,
  }
}

function toStatement(row: StatementRow): Statement {
  return {
    id: row.id,
    disputeId: row.dispute_id,
    side: row.side,
    statement: row.statement,
    links: row.links,
    createdAt: row.created_at,
  }
}

/** What a transaction does with disputes, and with the rows a worker who steps down leaves. */
export function disputeRows(query: Query, tell: Tell): DisputeTx {
  const locked = async (text: string, key: string): Promise<ReturnType<typeof toDispute> | null> => {
    const row = (await query<DisputeRow>(text, [key]))[0]
    return row === undefined ? null : toDispute(row)
  }
  return {
    lockDispute: (id) => locked('select * from disputes where id = $1 for update', id),
    lockDisputeOf: (submissionId) => locked('select * from disputes where submission_id = $1 for update', submissionId),
    async changeDispute(id, { status, resolution, resolvedAt }) {
      await tell(
        `update disputes set status = $2, verdict = $3, split_pct = $4, resolution_reason = $5, resolved_at = $6
          where id = $1`,
        [id, status, resolution?.verdict ?? null, resolution?.splitPct ?? null, resolution?.reason ?? null, resolvedAt],
      )
    },
    async insertStatement(one) {
      await tell(
        `insert into dispute_statements (id, dispute_id, side, statement, links, created_at)
          values ($1, $2, $3, $4, $5, $6)`,
        [one.id, one.disputeId, one.side, one.statement, one.links, one.createdAt],
      )
    },
    async expireDisputes(taskId, at) {
      await tell(
        "update disputes set status = 'expired', resolved_at = $2 where task_id = $1 and status in ('open', 'resolving')",
        [taskId, at],
      )
    },
    async refuseRemainderOf(taskId, at) {
      await tell(
        `update settlements set status = 'refused', updated_at = $2
          where task_id = $1 and purpose = 'remainder' and status = 'claimed'`,
        [taskId, at],
      )
    },
    async withdrawApplication(taskId, executorId) {
      await tell("update applications set status = 'withdrawn' where task_id = $1 and executor_id = $2", [
        taskId,
        executorId,
      ])
    },
    async clearEscrow(taskId) {
      await tell('delete from escrows where task_id = $1', [taskId])
    },
  }
}
