import type { MoneyFinding, MoneyFindings } from '@ergon/core'
import { allRows, allSlots, rowOf } from '../engine/table.ts'
import type { FindingRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

const none: MoneyFindings['counts'] = {
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

export function findingReads({
  disk,
  line,
}: StoreParts): Part<'reportFindings' | 'moneyFindings' | 'unresolvedFindings'> {
  const { findings, auditRound, escrows } = disk.tables
  const isOpen = ({ resolvedAt }: FindingRow): boolean => resolvedAt === null
  return {
    reportFindings: (scopes, found, at) =>
      line.write('reportFindings', async (session) => {
        const keys = new Set(found.map(({ scope, kind, subject }) => keyOf(scope, kind, subject)))
        // One statement: what it resolves is what stood when it began.
        const isCleared = ({ scope, taskId }: FindingRow): boolean =>
          taskId !== null && scope === `escrow:${taskId}` && rowOf(session, escrows.by.pkey, taskId) === undefined
        const gone = (row: FindingRow): boolean =>
          row.resolvedAt === null &&
          (scopes.includes(row.scope) || isCleared(row)) &&
          !keys.has(keyOf(row.scope, row.kind, row.subject))
        const resolved = allSlots(session, findings, gone)
        for (const one of found) {
          await findings.upsert(
            session,
            { ...one, id: disk.nextSeq(), firstSeen: at, lastSeen: at, resolvedAt: null },
            findings.by.open,
            (row) => ({ ...row, lastSeen: at, atomic: one.atomic, detail: one.detail }),
          )
        }
        await findings.update(session, resolved, gone, (row) => ({ ...row, resolvedAt: at }))
      }),
    async moneyFindings() {
      const [open, lastRun] = await Promise.all([
        line.read('moneyFindings', (viewer) => allRows(viewer, findings, isOpen)),
        line.read('moneyFindings run', (viewer) => rowOf(viewer, auditRound.by.pkey, 'one')?.lastRun ?? null),
      ])
      const counts: Record<keyof MoneyFindings['counts'], number> = { ...none }
      for (const { kind } of open) counts[kind] += 1
      return {
        counts,
        byNetwork: byNetworkOf(open),
        unresolved: open.length,
        oldest: sortedBy(open, ({ firstSeen }) => firstSeen.getTime())[0]?.firstSeen ?? null,
        lastRun,
      }
    },
    unresolvedFindings: (limit) =>
      line.read('unresolvedFindings', (viewer) => {
        const rows = sortedBy(
          sortedBy(allRows(viewer, findings, isOpen), ({ id }) => id),
          ({ firstSeen }) => firstSeen.getTime(),
        ).slice(0, limit)
        return rows.map(
          ({ kind, subject, taskId, settlementId, network, asset, atomic, detail, firstSeen, lastSeen }) => ({
            kind,
            subject,
            taskId,
            settlementId,
            network,
            token: asset?.symbol ?? null,
            amount:
              asset === null || atomic === null
                ? null
                : { atomic, asset: { symbol: asset.symbol, network, decimals: asset.decimals } },
            detail,
            firstSeen,
            lastSeen,
          }),
        )
      }),
  }
}

function byNetworkOf(open: readonly Pick<MoneyFinding, 'network' | 'kind'>[]): MoneyFindings['byNetwork'] {
  return [...Map.groupBy(open, ({ network }) => network)].flatMap(([network, its]) =>
    [...Map.groupBy(its, ({ kind }) => kind)].map(([kind, { length }]) => ({ network, kind, count: length })),
  )
}
