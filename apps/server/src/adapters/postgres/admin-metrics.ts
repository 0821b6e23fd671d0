import type { AdminMetrics, AdminStore, Amount } from '@ergon/core'
import type { Pool, QueryResultRow } from 'pg'

type MoneyRow = {
  network: string
  token: string
  decimals: number
  locked: bigint
  paid: bigint
  accrued: bigint
  swept: bigint
  in_doubt: bigint
}
type CountRow = {
  waiting: bigint
  unverified: Date | null
  disputes: bigint
  wallets: bigint
  bans: bigint
  outbox: bigint
}

/** The numbers of the market in one round of queries; they grow with its history and are for the operator alone. */
export function createAdminMetrics(pool: Pool): Pick<AdminStore, 'adminMetrics' | 'accruedFees'> {
  const all = async <R extends QueryResultRow>(name: string, text: string, values: unknown[] = []): Promise<R[]> =>
    (await pool.query<R>({ name, text, values })).rows
  return {
    async adminMetrics(now) {
      const [tasks, money, counts] = await Promise.all([
        all<{ status: keyof AdminMetrics['tasks']; count: bigint }>(
          'admin-tasks-by-status',
          'select status, count(*) as count from tasks group by status',
        ),
        all<MoneyRow>('admin-money', moneyText),
        all<CountRow>('admin-counts', countsText),
      ])
      const one = counts[0]
      return {
        tasks: Object.fromEntries(tasks.map(({ status, count }) => [status, Number(count)])),
        money: money.map((row) => ({
          asset: { network: row.network, symbol: row.token, decimals: row.decimals },
          locked: row.locked,
          paid: row.paid,
          feesAccrued: row.accrued,
          feesSwept: row.swept,
          inDoubt: row.in_doubt,
        })),
        submissionsWaiting: Number(one?.waiting ?? 0n),
        verificationLagSeconds:
          one?.unverified === null || one === undefined
            ? null
            : Math.max(0, (now.getTime() - one.unverified.getTime()) / 1_000),
        disputesOpen: Number(one?.disputes ?? 0n),
        wallets: Number(one?.wallets ?? 0n),
        bans: Number(one?.bans ?? 0n),
        outbox: Number(one?.outbox ?? 0n),
      }
    },
    async accruedFees() {
      const rows = await all<{ network: string; token: string; decimals: number; atomic: bigint }>(
        'admin-accrued',
        `select l.network, l.token, a.decimals, sum(l.operator)::bigint as atomic
          from ledger_totals l join (${assets}) a using (network, token)
          group by 1, 2, 3 having sum(l.operator) > 0 order by 1, 2`,
      )
      return rows.map((row): Amount => ({
        atomic: row.atomic,
        asset: { network: row.network, symbol: row.token, decimals: row.decimals },
      }))
    },
  }
}

/** Tokens that money has moved in or may be moving in; the ledger keeps atomic units and no decimals. */
const assets = `select a.network, a.token,
    (select t.decimals from tasks t where t.network = a.network and t.token = a.token limit 1) as decimals
  from (select network, token from ledger_totals
    union select t.network, t.token from settlements s join tasks t on t.id = s.task_id
      where s.status in ('claimed', 'in_doubt')) a`

const moneyText = `select a.network, a.token, a.decimals, coalesce(sum(l.escrowed), 0)::bigint as locked,
    coalesce(sum(l.paid), 0)::bigint as paid, coalesce(sum(l.operator), 0)::bigint as accrued,
    coalesce(sum(l.treasury), 0)::bigint as swept,
    coalesce((select sum(t.bounty_atomic) from tasks t where t.network = a.network and t.token = a.token
      and t.id in (select s.task_id from settlements s where s.status = 'in_doubt')), 0)::bigint as in_doubt
  from (${assets}) a left join ledger_totals l using (network, token) group by 1, 2, 3 order by 1, 2`

const countsText = `select
    (select count(*) from submissions where status = 'pending_review') as waiting,
    (select min(s.submitted_at) from submissions s join tasks t on t.id = s.task_id
      where s.status = 'pending_review' and s.verified_at is null
        and t.status in ('submitted', 'verifying')) as unverified,
    (select count(*) from disputes where status in ('open', 'resolving')) as disputes,
    (select count(*) from (select wallet from workers union select publisher_wallet from tasks) known) as wallets,
    (select count(*) from bans) as bans,
    (select coalesce(max(seq) - min(seq) + 1, 0) from outbox) as outbox`
