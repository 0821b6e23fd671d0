import type { PaymentEvent, Settlement, Sweep } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, free, rowOf, rowsOf, slotsOf, type Slot } from '../engine/table.ts'
import type { NewPaymentEvent, SettlementRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { isOpenMove } from '../tx/money-tx.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type MoneyReads = Part<'escrowPayment' | 'paymentEvents' | 'openSettlement' | 'settlement' | 'leaseSettlements' | 'sweepAfter' | 'leaseSweep' | 'paymentsHealth'>

export function moneyReads(parts: StoreParts): MoneyReads {
  const { disk, line } = parts
  const { escrows, paymentEvents, settlements } = disk.tables
  return {
    escrowPayment: (taskId) => line.read('escrowPayment', (viewer) => rowOf(viewer, escrows.by.pkey, taskId)?.payment ?? null),
    paymentEvents: (taskId) => line.read('paymentEvents', (viewer) => sortedBy(rowsOf(viewer, paymentEvents.by.task, taskId), ({ id }) => id).map(toPaymentEvent)),
    openSettlement: (taskId) => line.read('openSettlement', (viewer) => rowsOf(viewer, settlements.by.task, taskId, isOpenMove)[0]?.settlement ?? null),
    settlement: (taskId, purpose) => line.read('settlement', (viewer) => {
      const rows = rowsOf(viewer, settlements.by.task, taskId, ({ settlement }) => settlement.purpose === purpose)
      return sortedBy(rows.map(({ settlement }) => settlement), ({ id }) => id).at(-1) ?? null
    }),
    leaseSettlements: (now, leaseUntil, limit) => line.write('leaseSettlements', async (session) => {
      const at = now.getTime()
      const due = slotsOf(session, settlements.by.open, 'open', ({ settlement, dueAt }) => dueAt <= at && mayGoOn(disk, session, settlement))
      const taken = inOrder(free(session, due), ({ dueAt }) => dueAt).slice(0, limit)
      const leased = await settlements.update(session, taken, anything, (row) => ({ ...row, settlement: { ...row.settlement, attempts: row.settlement.attempts + 1 }, dueAt: leaseUntil.getTime(), updatedAt: at }))
      return leased.map(({ settlement }) => settlement)
    }),
    ...sweepReads(parts),
    paymentsHealth: (now) => line.read('paymentsHealth', (viewer) => healthOf(disk, viewer, now)),
  }
}

/** Rows that may be locked, as they stand. */
export function inOrder<R>(slots: readonly Slot<R>[], by: (row: R) => number | string): readonly Slot<R>[] {
  return sortedBy(slots.flatMap((slot) => (slot.committed === undefined ? [] : [{ slot, key: by(slot.committed) }])), ({ key }) => key).map(({ slot }) => slot)
}

/** The fee of a direct payment and the remainder of a split wait until the worker is paid. */
function mayGoOn({ tables: { settlements } }: Disk, viewer: Viewer, { purpose, submissionId, subject }: Settlement): boolean {
  const isPaid = (by: 'payout' | 'award') => ({ settlement }: SettlementRow): boolean => settlement.purpose === by && settlement.status === 'confirmed'
  if (purpose === 'fee') return submissionId !== null && rowsOf(viewer, settlements.by.submission, submissionId, isPaid('payout')).length > 0
  return purpose !== 'remainder' || rowsOf(viewer, settlements.by.subject, subject, isPaid('award')).length > 0
}

function sweepReads({ disk, line }: StoreParts): Part<'sweepAfter' | 'leaseSweep'> {
  const { sweeps } = disk.tables
  return {
    sweepAfter: (asset, block) => line.read('sweepAfter', (viewer) => {
      const later = rowsOf(viewer, sweeps.by.asset, keyOf(asset.network, asset.symbol), ({ status, blockNumber }) => status === 'confirmed' && blockNumber !== null && blockNumber > block)
      const txHash = sortedBy(later, ({ blockNumber }) => blockNumber ?? 0n)[0]?.txHash
      return txHash === undefined || txHash === null ? null : { txHash }
    }),
    async leaseSweep(fresh, now, leaseUntil): Promise<Sweep | null> {
      const at = now.getTime()
      const { pkey, key_key: key, one_open: open } = sweeps.by
      await line.write('leaseSweep open', (session) => sweeps.insert(session, { ...fresh, attempts: 0, status: 'open', txHash: null, blockNumber: null, amount: null, dueAt: at, updatedAt: at }, [pkey, key, open]))
      return line.write('leaseSweep', async (session) => {
        const where = ({ status, dueAt }: { readonly status: string; readonly dueAt: number }): boolean => status === 'open' && dueAt <= at
        const slots = slotsOf(session, open, keyOf(fresh.asset.network, fresh.asset.symbol), where)
        const [row] = await sweeps.update(session, slots, where, (one) => ({ ...one, dueAt: leaseUntil.getTime(), attempts: one.attempts + 1, updatedAt: at }))
        return row === undefined ? null : { id: row.id, asset: fresh.asset, key: row.key, attempts: row.attempts }
      })
    },
  }
}

function healthOf({ tables: { settlements, ledger } }: Disk, viewer: Viewer, now: Date) {
  const rows = rowsOf(viewer, settlements.by.open, 'open').map(({ settlement }) => settlement)
  const sums = new Map<string, bigint>()
  for (const { journal, atomic } of allRows(viewer, ledger)) sums.set(journal, (sums.get(journal) ?? 0n) + atomic)
  const oldest = rows.length === 0 ? null : Math.min(...rows.map(({ createdAt }) => createdAt.getTime()))
  return {
    inFlight: rows.filter(({ status }) => status === 'claimed').length,
    inDoubt: rows.filter(({ status }) => status === 'in_doubt').length,
    oldestSeconds: oldest === null ? null : Math.max(0, (now.getTime() - oldest) / 1_000),
    ledgerBalanced: [...sums.values()].every((sum) => sum === 0n),
  }
}

function toPaymentEvent({ id, taskId, type, status, amount, asset, from, to, txHash, note, at }: NewPaymentEvent): PaymentEvent {
  return { id, taskId, type, status, amount: amount === null ? null : { atomic: amount.atomic, asset }, from, to, network: asset.network, token: asset.symbol, txHash, note: note ?? null, at }
}
