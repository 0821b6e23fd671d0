import { networkOf, type EscrowBooks, type HeldSums, type Unnamed } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, allSlots, lockRows, rowOf, rowsOf, slotsOf, takeFree } from '../engine/table.ts'
import type { EscrowRow, LedgerRow, SettlementRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type AuditReads = Part<
  | 'leaseAudit'
  | 'leaseEscrowAudits'
  | 'escrowBooks'
  | 'auditEscrowAt'
  | 'leaseProofs'
  | 'proveAt'
  | 'stuckSettlements'
  | 'unnamedPayments'
  | 'heldSums'
  | 'ledgerDrift'
>

export function auditReads(parts: StoreParts): AuditReads {
  const { disk, line } = parts
  const { escrows, auditRound } = disk.tables
  const booksOf = async (taskIds: readonly string[]): Promise<readonly EscrowBooks[]> => {
    const [books, open] = await Promise.all([
      line.read('escrowBooks', (viewer) =>
        taskIds
          .flatMap((id) => rowOf(viewer, escrows.by.pkey, id) ?? [])
          .flatMap((row) => booksOfRow(disk, viewer, row) ?? []),
      ),
      line.read('escrowBooks open', (viewer) => openOf(disk, viewer, taskIds)),
    ])
    return books.map((one) => ({
      ...one,
      open: open.find(({ settlement }) => settlement.taskId === one.taskId)?.settlement ?? null,
    }))
  }
  return {
    leaseAudit: (now, until, sumsUntil) =>
      line.write('leaseAudit', async (session) => {
        const at = now.getTime()
        const isDue = ({ dueAt }: { readonly dueAt: number }): boolean => dueAt <= at
        const slots = slotsOf(session, auditRound.by.pkey, 'one', isDue)
        const [before] = await lockRows(session, slots, isDue)
        if (before === undefined) return null
        const sums = before.sumsDueAt <= at
        await auditRound.update(session, slots, anything, () => ({
          dueAt: until.getTime(),
          sumsDueAt: sums ? sumsUntil.getTime() : before.sumsDueAt,
          lastRun: now,
        }))
        return { sums }
      }),
    async leaseEscrowAudits(network, now, until, limit) {
      const due = await line.write('leaseEscrowAudits', async (session) => {
        const slots = allSlots(
          session,
          escrows,
          ({ payment, auditDueAt }) => payment.network === network && auditDueAt <= now.getTime(),
        )
        const taken = takeFree(session, slots, ({ auditDueAt }) => auditDueAt, limit)
        return escrows.update(session, taken, anything, (row) => ({ ...row, auditDueAt: until.getTime() }))
      })
      return due.length === 0 ? [] : booksOf(due.map(({ taskId }) => taskId))
    },
    escrowBooks: async (taskId) => (await booksOf([taskId]))[0] ?? null,
    auditEscrowAt: (taskIds, at) =>
      line.write('auditEscrowAt', async (session) => {
        await escrows.update(
          session,
          taskIds.flatMap((id) => slotsOf(session, escrows.by.pkey, id)),
          anything,
          (row) => ({ ...row, auditDueAt: at.getTime() }),
        )
      }),
    ...settlementAudits(parts),
    // Its totals are sums of its lines already.
    ledgerDrift: () => Promise.resolve([]),
    heldSums: (recentSince) => line.read('heldSums', (viewer) => sumsOf(disk, viewer, recentSince)),
  }
}

function booksOfRow(
  { tables: { tasks, ledger } }: Disk,
  viewer: Viewer,
  { taskId, payment }: EscrowRow,
): Omit<EscrowBooks, 'open'> | undefined {
  const task = rowOf(viewer, tasks.by.pkey, taskId)?.task
  if (task === undefined) return undefined
  const { network, symbol } = task.bounty.asset
  const lines = rowsOf(viewer, ledger.by.account, keyOf(network, symbol, `escrow:${payment.hash}`))
  const refunds = rowsOf(viewer, ledger.by.account, keyOf(network, symbol, `refund:${payment.hash}`))
  // What its receiver and the operator got out of it. What came back after it was captured is captured no more.
  const paid = new Set(['operator', `wallet:${payment.receiver}`])
  const journals = [...new Set(lines.map(({ journal }) => journal))]
  const captures = journals.flatMap((journal) =>
    rowsOf(viewer, ledger.by.journal, journal).filter(({ account }) => paid.has(account)),
  )
  return {
    taskId,
    status: task.status,
    escrowStatus: task.escrowStatus,
    since: task.updatedAt,
    payment,
    held: sum(lines),
    captured: sum(captures) + sum(refunds),
  }
}

function openOf(
  { tables: { settlements } }: Disk,
  viewer: Viewer,
  taskIds: readonly string[],
): readonly SettlementRow[] {
  return rowsOf(viewer, settlements.by.open, 'open', ({ settlement }) => taskIds.includes(settlement.taskId))
}

const sum = (lines: readonly LedgerRow[]): bigint => lines.reduce((total, { atomic }) => total + atomic, 0n)

function settlementAudits({
  disk,
  line,
}: StoreParts): Part<'leaseProofs' | 'proveAt' | 'stuckSettlements' | 'unnamedPayments'> {
  const { settlements } = disk.tables
  return {
    leaseProofs: (network, now, until, before, limit) =>
      line.write('leaseProofs', async (session) => {
        const due = allSlots(
          session,
          settlements,
          ({ settlement, proofDueAt, updatedAt }) =>
            networkOf(settlement.order) === network &&
            settlement.status === 'confirmed' &&
            settlement.txHash !== null &&
            proofDueAt <= now.getTime() &&
            updatedAt <= before.getTime(),
        )
        const taken = takeFree(session, due, ({ proofDueAt }) => proofDueAt, limit)
        const leased = await settlements.update(session, taken, anything, (row) => ({
          ...row,
          proofDueAt: until.getTime(),
        }))
        return leased.flatMap(({ settlement }) =>
          settlement.txHash === null ? [] : [{ ...settlement, txHash: settlement.txHash }],
        )
      }),
    proveAt: (ids, at) =>
      line.write('proveAt', async (session) => {
        await settlements.update(
          session,
          ids.flatMap((id) => slotsOf(session, settlements.by.pkey, id)),
          anything,
          (row) => ({ ...row, proofDueAt: at.getTime() }),
        )
      }),
    stuckSettlements: (before, limit) =>
      line.read('stuckSettlements', (viewer) => {
        const rows = rowsOf(viewer, settlements.by.open, 'open', ({ settlement }) => settlement.createdAt < before).map(
          ({ settlement }) => settlement,
        )
        return sortedBy(rows, ({ createdAt }) => createdAt.getTime()).slice(0, limit)
      }),
    unnamedPayments: (before, limit) =>
      line.read('unnamedPayments', (viewer) => unnamedOf(disk, viewer, before, limit)),
  }
}

function unnamedOf(
  { tables: { settlements, tasks } }: Disk,
  viewer: Viewer,
  before: Date,
  limit: number,
): readonly Unnamed[] {
  const confirmed = allRows(
    viewer,
    settlements,
    ({ settlement }) => settlement.status === 'confirmed' && settlement.txHash === null,
  ).map(({ settlement }) => settlement)
  const payments = sortedBy(confirmed, ({ id }) => id)
    .slice(0, limit)
    .flatMap(({ id, taskId, purpose }) => {
      const network = rowOf(viewer, tasks.by.pkey, taskId)?.task.bounty.asset.network
      return network === undefined
        ? []
        : [{ taskId, settlementId: id, network, detail: `the ${purpose} is confirmed without a transaction` }]
    })
  const owed = allRows(
    viewer,
    tasks,
    ({ task, paymentBlock }) =>
      paymentBlock !== null && task.feeTx === null && task.escrowStatus === 'released' && task.updatedAt < before,
  )
  return [
    ...payments,
    ...sortedBy(owed, ({ paymentBlock }) => paymentBlock ?? 0n)
      .slice(0, limit)
      .map(({ task }) => ({
        taskId: task.id,
        settlementId: null,
        network: task.bounty.asset.network,
        detail: 'the fee has no transaction',
      })),
  ]
}

function sumsOf(
  { tables: { ledger, tasks, settlements, sweeps } }: Disk,
  viewer: Viewer,
  recentSince: Date,
): readonly HeldSums[] {
  const lines = allRows(viewer, ledger, ({ account }) => account.startsWith('escrow:') || account === 'operator')
  const assets = new Map(lines.map(({ network, token }) => [keyOf(network, token), { network, token }]))
  return [...assets.values()].map(({ network, token }): HeldSums => {
    const own = lines.filter((line) => line.network === network && line.token === token)
    const operator = own.filter(({ account }) => account === 'operator')
    const isAsset = (asset: { readonly network: string; readonly symbol: string }): boolean =>
      asset.network === network && asset.symbol === token
    const bountyOf = ({ settlement }: SettlementRow) => rowOf(viewer, tasks.by.pkey, settlement.taskId)?.task.bounty
    const swept = rowsOf(viewer, sweeps.by.asset, keyOf(network, token), () => true)
    const decimals =
      allRows(viewer, tasks, ({ task }) => isAsset(task.bounty.asset))[0]?.task.bounty.asset.decimals ?? 0
    return {
      asset: { symbol: token, network, decimals },
      locked: sum(own.filter(({ account }) => account.startsWith('escrow:'))),
      fees: sum(operator) - sum(operator.filter(({ atomic, at }) => atomic > 0n && at > recentSince)),
      leaving: rowsOf(viewer, settlements.by.open, 'open', ({ settlement }) => settlement.purpose !== 'lock').reduce(
        (total, row) => {
          const bounty = bountyOf(row)
          return bounty !== undefined && isAsset(bounty.asset) ? total + bounty.atomic : total
        },
        0n,
      ),
      isSweeping:
        swept.some(({ status }) => status === 'open') &&
        !swept.some(({ status, updatedAt }) => status !== 'open' && updatedAt > recentSince.getTime()),
    }
  })
}
