import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { orderNetwork } from './order-network.ts'
import { namedRows, type NamedRows } from './named-rows.ts'
import { toPayment, toRating, toSettlement, type RatingRow, type SettlementRow } from './rows.ts'

type Audits = Pick<
  Store,
  | 'leaseAudit'
  | 'leaseEscrowAudits'
  | 'escrowBooks'
  | 'auditEscrowAt'
  | 'leaseProofs'
  | 'proveAt'
  | 'stuckSettlements'
  | 'unnamedPayments'
  | 'heldSums'
  | 'leaseSentRatings'
  | 'stuckRatings'
  | 'leaseRatingAudits'
  | 'auditRatingAt'
  | 'correlations'
>
type Books = NonNullable<Awaited<ReturnType<Store['escrowBooks']>>>
type BooksRow = {
  task_id: string
  status: Books['status']
  escrow_status: Books['escrowStatus']
  updated_at: Date
  payment: unknown
  held: bigint
  captured: bigint
}
type SumsRow = {
  network: string
  token: string
  decimals: number
  locked: bigint
  fees: bigint
  leaving: bigint
  sweeping: boolean
}

/** The rows that are compared with the chains (decision 0059). */
export function createAudits(pool: Pool): Audits {
  const all = namedRows(pool)
  return {
    async leaseAudit(now, until, sumsUntil) {
      const [row] = await all<{ sums: boolean }>(
        'audit-lease',
        `update money_audit a
          set due_at = $2, last_run = $1, sums_due_at = case when b.sums_due_at <= $1 then $3 else b.sums_due_at end
        from (select sums_due_at from money_audit for update) b where a.due_at <= $1
        returning b.sums_due_at <= $1 as sums`,
        [now, until, sumsUntil],
      )
      return row ?? null
    },
    ...escrowAudits(all),
    ...settlementAudits(all),
    async heldSums(recentSince) {
      const rows = await all<SumsRow>('held-sums', sumsText, [recentSince])
      return rows.map((row) => ({
        asset: { symbol: row.token, network: row.network, decimals: row.decimals },
        locked: row.locked,
        fees: row.fees,
        leaving: row.leaving,
        isSweeping: row.sweeping,
      }))
    },
    ...ratingAudits(all),
    async correlations(executorIds, publisherWallet) {
      const rows = await all<{ executor_id: string; together: bigint; total: bigint; publishers: bigint }>(
        'correlations',
        correlationsText,
        [executorIds, publisherWallet],
      )
      return new Map(
        rows.map((row) => [
          row.executor_id,
          {
            tasksTogether: Number(row.together),
            totalCompleted: Number(row.total),
            distinctPublishers: Number(row.publishers),
          },
        ]),
      )
    },
  }
}

/** What the books hold of each escrow. */
function escrowAudits(all: NamedRows): Pick<Audits, 'leaseEscrowAudits' | 'escrowBooks' | 'auditEscrowAt'> {
  return {
    async leaseEscrowAudits(network, now, until, limit) {
      const due = await all<{ task_id: string }>(
        'escrow-audits-lease',
        `update escrows set audit_due_at = $2
          where task_id = any(array(select task_id from escrows
            where audit_due_at <= $1 and payment->>'network' = $4
            order by audit_due_at limit $3 for update skip locked)) returning task_id`,
        [now, until, limit, network],
      )
      return due.length === 0
        ? []
        : booksOf(
            all,
            due.map(({ task_id }) => task_id),
          )
    },
    escrowBooks: async (taskId) => (await booksOf(all, [taskId]))[0] ?? null,
    auditEscrowAt: async (taskIds, at) => {
      await all('escrow-audits-at', 'update escrows set audit_due_at = $2 where task_id = any($1)', [taskIds, at])
    },
  }
}

async function booksOf(all: NamedRows, taskIds: readonly string[]): Promise<readonly Books[]> {
  const [rows, open] = await Promise.all([
    all<BooksRow>('escrow-books', booksText, [taskIds]),
    all<SettlementRow>(
      'escrow-books-open',
      "select * from settlements where task_id = any($1) and status in ('claimed', 'in_doubt')",
      [taskIds],
    ),
  ])
  return rows.map((row) => ({
    taskId: row.task_id,
    status: row.status,
    escrowStatus: row.escrow_status,
    since: row.updated_at,
    payment: toPayment(row.payment),
    held: row.held,
    captured: row.captured,
    open: open.map(toSettlement).find((one) => one.taskId === row.task_id) ?? null,
  }))
}

/** Payments that a receipt has to prove, that take too long, or that name no transaction. */
function settlementAudits(
  all: NamedRows,
): Pick<Audits, 'leaseProofs' | 'proveAt' | 'stuckSettlements' | 'unnamedPayments'> {
  return {
    async leaseProofs(network, now, until, before, limit) {
      const rows = await all<SettlementRow>(
        'proofs-lease',
        `update settlements set proof_due_at = $2
          where id = any(array(select s.id from settlements s
            where s.status = 'confirmed' and s.tx_hash is not null and s.proof_due_at <= $1 and s.updated_at <= $3
              and ${orderNetwork} = $5
            order by s.proof_due_at limit $4 for update skip locked)) returning *`,
        [now, until, before, limit, network],
      )
      return rows.flatMap((row) => (row.tx_hash === null ? [] : [{ ...toSettlement(row), txHash: row.tx_hash }]))
    },
    proveAt: async (ids, at) => {
      await all('proofs-at', 'update settlements set proof_due_at = $2 where id = any($1)', [ids, at])
    },
    stuckSettlements: async (before, limit) =>
      (
        await all<SettlementRow>(
          'settlements-stuck',
          `select * from (select s.*, row_number() over (partition by ${orderNetwork} order by s.created_at) as place
              from settlements s where s.status in ('claimed', 'in_doubt') and s.created_at < $1) waiting
            where place <= $2 order by created_at`,
          [before, limit],
        )
      ).map(toSettlement),
    async unnamedPayments(before, limit) {
      const rows = await all<{ task_id: string; settlement_id: string | null; network: string; detail: string }>(
        'payments-unnamed',
        unnamedText,
        [before, limit],
      )
      return rows.map((row) => ({
        taskId: row.task_id,
        settlementId: row.settlement_id,
        network: row.network,
        detail: row.detail,
      }))
    },
  }
}

/** Ratings that are on their way to a chain or on it. */
function ratingAudits(
  all: NamedRows,
): Pick<Audits, 'leaseSentRatings' | 'stuckRatings' | 'leaseRatingAudits' | 'auditRatingAt'> {
  return {
    async leaseSentRatings(network, now, until, before, limit) {
      const rows = await all<RatingRow & { written_at: Date; lands_until: Date }>(
        'ratings-sent-lease',
        `update ratings set audit_due_at = $2
          where id = any(array(select id from ratings
            where status = 'sending' and sent_at <= $3 and audit_due_at <= $1 and terms->>'network' = $5
            order by audit_due_at limit $4 for update skip locked)) returning *`,
        [now, until, before, limit, network],
      )
      return rows.map((row) => ({ ...toRating(row), writtenAt: row.written_at, landsUntil: row.lands_until }))
    },
    async stuckRatings(before, limit) {
      const rows = await all<RatingRow & { since: Date }>(
        'ratings-stuck',
        `select * from (select r.*, coalesce(sent_at, written_at) as since,
              row_number() over (partition by terms->>'network' order by coalesce(sent_at, written_at)) as place
            from ratings r where status in ('sending', 'due') and coalesce(sent_at, written_at) < $1) waiting
          where place <= $2 order by since`,
        [before, limit],
      )
      return rows.map((row) => ({ ...toRating(row), since: row.since }))
    },
    leaseRatingAudits: async (network, now, until, limit) =>
      (
        await all<RatingRow & { written_at: Date }>(
          'rating-audits-lease',
          `update ratings set audit_due_at = $2
            where id = any(array(select id from ratings
              where status = 'confirmed' and audit_due_at <= $1 and terms->>'network' = $4
              order by audit_due_at limit $3 for update skip locked)) returning *`,
          [now, until, limit, network],
        )
      ).map((row) => ({ ...toRating(row), writtenAt: row.written_at })),
    auditRatingAt: async (ids, at) => {
      await all('rating-audits-at', 'update ratings set audit_due_at = $2 where id = any($1)', [ids, at])
    },
  }
}

/**
 * What its receiver and the operator got out of it, less what was turned round because its block was undone. What came
 * back after it was captured is captured no more.
 */
const booksText = `select e.task_id, t.status, t.escrow_status, t.updated_at, e.payment,
    coalesce((select sum(l.amount_atomic) from ledger l
        where l.network = t.network and l.token = t.token and l.account = 'escrow:' || e.hash), 0)::bigint as held,
    coalesce((select sum(o.amount_atomic) from ledger o
        where o.account in ('operator', 'wallet:' || (e.payment->>'receiver')) and o.journal in
          (select l.journal from ledger l
            where l.network = t.network and l.token = t.token and l.account = 'escrow:' || e.hash)), 0)::bigint
      + coalesce((select sum(l.amount_atomic) from ledger l
          where l.network = t.network and l.token = t.token and l.account = 'refund:' || e.hash), 0)::bigint as captured
  from escrows e join tasks t on t.id = e.task_id where e.task_id = any($1)`

const unnamedText = `select task_id, settlement_id, network, detail from (
    select s.task_id, s.id as settlement_id, t.network,
      'the ' || s.purpose || ' is confirmed without a transaction' as detail,
      row_number() over (partition by t.network order by s.id) as place
    from settlements s join tasks t on t.id = s.task_id where s.status = 'confirmed' and s.tx_hash is null
  union all select id, null::uuid, network, 'the fee has no transaction',
      row_number() over (partition by network order by payment_block)
    from tasks where payment_block is not null and fee_tx is null and escrow_status = 'released' and updated_at < $1
  ) unnamed where place <= $2`

/** Ids of sweeps grow with time: the newest hundred are those of the last minutes. */
const sumsText = `select l.network, l.token,
    (select t.decimals from tasks t where t.network = l.network and t.token = l.token limit 1) as decimals,
    sum(l.escrowed)::bigint as locked,
    (sum(l.operator) - coalesce((select sum(i.amount_atomic) from ledger i
      where i.network = l.network and i.token = l.token and i.account = 'operator'
        and i.amount_atomic > 0 and i.at > $1), 0))::bigint as fees,
    (select coalesce(sum(f.bounty_atomic), 0)::bigint from settlements s join tasks f on f.id = s.task_id
      where s.status in ('claimed', 'in_doubt') and s.purpose <> 'lock' and f.network = l.network
        and f.token = l.token) as leaving,
    (exists (select 1 from sweeps w where w.network = l.network and w.token = l.token and w.status = 'open')
      and not exists (select 1 from (select * from sweeps order by id desc limit 100) w
        where w.network = l.network and w.token = l.token and w.status <> 'open' and w.updated_at > $1)) as sweeping
  from ledger_totals l group by l.network, l.token having sum(l.lines) > 0`

/** An index alone answers it: what a worker completed, by publisher. */
export const correlationsText = `select executor_id, count(*) filter (where publisher_wallet = $2) as together,
    count(*) as total, count(distinct publisher_wallet) as publishers
  from tasks where executor_id = any($1) and status = 'completed' group by executor_id`
