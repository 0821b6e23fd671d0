import type { MoneyFindingKind } from '@ergon/contract'
import type { MoneyFinding, Store } from '@ergon/core'
import type { Pool } from 'pg'

type FindingRow = {
  kind: MoneyFindingKind
  subject: string
  task_id: string | null
  settlement_id: string | null
  network: string
  token: string | null
  decimals: number | null
  amount_atomic: bigint | null
  detail: string
  first_seen: Date
  last_seen: Date
}

/** What the comparisons found, remembered until it is gone. */
export function createFindings(pool: Pool): Pick<Store, 'reportFindings' | 'moneyFindings' | 'unresolvedFindings'> {
  return {
    async reportFindings(scopes, found, at) {
      await pool.query({
        name: 'findings-report',
        text: reportText,
        values: [
          JSON.stringify(
            found.map(({ kind, scope, subject, taskId, settlementId, network, asset, atomic, detail }) => ({
              kind,
              scope,
              subject,
              task_id: taskId,
              settlement_id: settlementId,
              network,
              token: asset?.symbol ?? null,
              decimals: asset?.decimals ?? null,
              amount_atomic: atomic?.toString() ?? null,
              detail,
            })),
          ),
          scopes,
          at,
        ],
      })
    },
    async moneyFindings() {
      const [counted, audit] = await Promise.all([
        pool.query<{ network: string; kind: MoneyFindingKind; count: bigint; oldest: Date }>({
          name: 'findings-count',
          text: `select network, kind, count(*), min(first_seen) as oldest from money_findings
            where resolved_at is null group by network, kind order by network, kind`,
        }),
        pool.query<{ last_run: Date | null }>({ name: 'findings-run', text: 'select last_run from money_audit' }),
      ])
      const counts: Record<MoneyFindingKind, number> = {
        expired: 0,
        stuck: 0,
        orphaned: 0,
        unnamed: 0,
        mismatch: 0,
        reorged: 0,
        rating_hash: 0,
        unclaimed: 0,
        behind: 0,
      }
      const byNetwork = counted.rows.map(({ network, kind, count }) => ({ network, kind, count: Number(count) }))
      for (const { kind, count } of byNetwork) counts[kind] += count
      const oldest =
        counted.rows.map((row) => row.oldest).toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
      return {
        counts,
        byNetwork,
        unresolved: Object.values(counts).reduce((sum, one) => sum + one, 0),
        oldest,
        lastRun: audit.rows[0]?.last_run ?? null,
      }
    },
    async unresolvedFindings(limit, offset = 0) {
      const { rows } = await pool.query<FindingRow>({
        name: 'findings-open',
        text: 'select * from money_findings where resolved_at is null order by first_seen, id limit $1 offset $2',
        values: [limit, offset],
      })
      return rows.map(toFinding)
    },
  }
}

/**
 * One statement: what is found again is seen again, what is new is written, and what these scopes no longer hold is
 * resolved,
 * as is what was found of an escrow that its task has given back since: nobody compares that again.
 */
const reportText = `with found as (
    select * from jsonb_to_recordset($1::jsonb) as f (
        kind text, scope text, subject text, task_id uuid, settlement_id uuid,
        network text, token text, decimals smallint, amount_atomic bigint, detail text)
  ), seen as (
    insert into money_findings (kind, scope, subject, task_id, settlement_id, network, token, decimals, amount_atomic,
        detail, first_seen, last_seen)
    select kind, scope, subject, task_id, settlement_id, network, token, decimals, amount_atomic, detail, $3, $3
    from found
    on conflict (scope, kind, subject) where resolved_at is null
    do update set last_seen = excluded.last_seen, amount_atomic = excluded.amount_atomic, detail = excluded.detail
  )
  update money_findings m set resolved_at = $3 where m.resolved_at is null and (m.scope = any($2::text[])
      or (m.scope = 'escrow:' || m.task_id and not exists (select 1 from escrows e where e.task_id = m.task_id)))
    and not exists (select 1 from found f where f.scope = m.scope and f.kind = m.kind and f.subject = m.subject)`

function toFinding(row: FindingRow): MoneyFinding {
  const { token, decimals, amount_atomic: atomic } = row
  return {
    kind: row.kind,
    subject: row.subject,
    taskId: row.task_id,
    settlementId: row.settlement_id,
    network: row.network,
    token,
    amount:
      token === null || decimals === null || atomic === null
        ? null
        : { atomic, asset: { symbol: token, network: row.network, decimals } },
    detail: row.detail,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}
