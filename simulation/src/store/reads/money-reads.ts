import { firstLease } from '@ergon/server/testing'
import { networkOf, type PaymentEvent, type Settlement, type Sweep } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, allSlots, rowOf, rowsOf, slotsOf, takeFree } from '../engine/table.ts'
import type { NewPaymentEvent, SettlementRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { changeSettlement, isOpenMove, isOpenRow, latest } from '../tx/settlement-tx.ts'
import { anything } from '../tx/task-tx.ts'
import { partOf, sortedBy, type Part, type StoreParts } from './parts.ts'

type MoneyReads = Part<
  | 'escrowPayment'
  | 'paymentEvents'
  | 'lastLock'
  | 'openSettlement'
  | 'settlement'
  | 'leaseSettlements'
  | 'renewSettlements'
  | 'leaseWatched'
  | 'sweepAfter'
  | 'leaseSweep'
  | 'paymentsHealth'
>

export function moneyReads(parts: StoreParts): MoneyReads {
  const { disk, line } = parts
  const { escrows, paymentEvents, settlements } = disk.tables
  return {
    escrowPayment: (taskId) =>
      line.read('escrowPayment', (viewer) => rowOf(viewer, escrows.by.pkey, taskId)?.payment ?? null),
    paymentEvents: (taskId, slice) =>
      line.read('paymentEvents', (viewer) =>
        partOf(rowsOf(viewer, paymentEvents.by.task, taskId).map(toPaymentEvent), slice),
      ),
    lastLock: (taskId) =>
      line.read('lastLock', (viewer) => {
        const notes = rowsOf(viewer, paymentEvents.by.task, taskId).filter(
          ({ type }) => type === 'verify' || type === 'store_auth',
        )
        if (notes.length === 0) return null
        return notes.at(-2)?.type === 'verify' ? 'fase2' : 'fase5'
      }),
    openSettlement: (taskId) =>
      line.read(
        'openSettlement',
        (viewer) => rowsOf(viewer, settlements.by.task, taskId, isOpenMove)[0]?.settlement ?? null,
      ),
    settlement: (taskId, purpose) =>
      line.read('settlement', (viewer) => {
        const rows = rowsOf(viewer, settlements.by.task, taskId, ({ settlement }) => settlement.purpose === purpose)
        return rows.at(-1)?.settlement ?? null
      }),
    ...leases(parts),
    ...sweepReads(parts),
    paymentsHealth: (now) => line.read('paymentsHealth', (viewer) => healthOf(disk, viewer, now)),
  }
}

function leases({ disk, line }: StoreParts): Part<'leaseSettlements' | 'renewSettlements' | 'leaseWatched'> {
  const { settlements } = disk.tables
  return {
    leaseSettlements: (network, now, leaseUntil, sentUntil, limit) =>
      line.write('leaseSettlements', async (session) => {
        const at = now.getTime()
        const due = slotsOf(
          session,
          settlements.by.open,
          'open',
          ({ settlement, dueAt }) =>
            networkOf(settlement.order) === network && dueAt <= at && mayGoOn(disk, session, settlement),
        )
        const taken = takeFree(session, due, ({ dueAt }) => dueAt, limit)
        const leased = await settlements.update(session, taken, anything, (row) =>
          changeSettlement(row, {
            settlement: {
              attempts: row.settlement.attempts + 1,
              sentUntil: row.settlement.isWaiting
                ? row.settlement.sentUntil
                : latest(row.settlement.sentUntil, sentUntil),
            },
            dueAt: leaseUntil.getTime(),
            updatedAt: at,
          }),
        )
        return leased.map(({ settlement }) => settlement)
      }),
    renewSettlements: (held, until) =>
      line.write('renewSettlements', async (session) => {
        let renewed = 0
        const still =
          (attempts: number) =>
          (row: SettlementRow): boolean =>
            row.settlement.attempts === attempts && isOpenRow(row) && row.dueAt < until.getTime()
        const found = held.map(({ id, attempts }) => ({
          where: still(attempts),
          slots: slotsOf(session, settlements.by.pkey, id, still(attempts)),
        }))
        for (const { where, slots } of found)
          renewed += (
            await settlements.update(session, slots, where, (row) => changeSettlement(row, { dueAt: until.getTime() }))
          ).length
        return renewed
      }),
    leaseWatched: (network, now, until, limit) =>
      line.write('leaseWatched', async (session) => {
        const due = allSlots(
          session,
          settlements,
          ({ settlement, watchUntil, dueAt }) =>
            networkOf(settlement.order) === network &&
            settlement.status === 'refused' &&
            watchUntil !== null &&
            dueAt <= now.getTime(),
        )
        const taken = takeFree(session, due, ({ dueAt }) => dueAt, limit)
        const leased = await settlements.update(session, taken, anything, (row) =>
          changeSettlement(row, { dueAt: until.getTime() }),
        )
        return leased.flatMap(({ settlement, watchUntil }) =>
          watchUntil === null ? [] : [{ ...settlement, watchUntil: new Date(watchUntil) }],
        )
      }),
  }
}

/** The fee of a direct payment waits until the worker is paid, the remainder of a split until the award has ended. */
function mayGoOn(
  { tables: { settlements } }: Disk,
  viewer: Viewer,
  { purpose, submissionId, subject }: Settlement,
): boolean {
  if (purpose === 'fee')
    return (
      submissionId !== null &&
      rowsOf(
        viewer,
        settlements.by.submission,
        submissionId,
        ({ settlement }) => settlement.purpose === 'payout' && settlement.status === 'confirmed',
      ).length > 0
    )
  return (
    purpose !== 'remainder' ||
    rowsOf(viewer, settlements.by.subject, subject, (row) => row.settlement.purpose === 'award' && isOpenRow(row))
      .length === 0
  )
}

function sweepReads({ disk, line }: StoreParts): Part<'sweepAfter' | 'leaseSweep'> {
  const { sweeps, distributions } = disk.tables
  return {
    sweepAfter: (asset, { blockNumber, logIndex }) =>
      line.read('sweepAfter', (viewer) => {
        // Within one block the order of the logs decides; where nobody wrote it down, only a later block is certain.
        const behind = allRows(
          viewer,
          distributions,
          (row) =>
            row.network === asset.network &&
            row.asset.symbol === asset.symbol &&
            (row.blockNumber > blockNumber ||
              (row.blockNumber === blockNumber && logIndex >= 0 && row.logIndex > logIndex)),
        )
        const first = sortedBy(
          sortedBy(behind, (row) => row.logIndex),
          (row) => row.blockNumber,
        )[0]
        return first === undefined ? null : { txHash: first.txHash }
      }),
    async leaseSweep(fresh, now, leaseUntil): Promise<Sweep | null> {
      const at = now.getTime()
      const { pkey, key_key: key, one_open: open } = sweeps.by
      await line.write('leaseSweep open', (session) =>
        sweeps.insert(
          session,
          {
            ...fresh,
            attempts: 0,
            status: 'open',
            txHash: null,
            blockNumber: null,
            amount: null,
            dueAt: at,
            updatedAt: at,
          },
          [pkey, key, open],
        ),
      )
      return line.write('leaseSweep', async (session) => {
        const where = ({ status, dueAt }: { readonly status: string; readonly dueAt: number }): boolean =>
          status === 'open' && dueAt <= at
        const slots = slotsOf(session, open, keyOf(fresh.asset.network, fresh.asset.symbol), where)
        const [row] = await sweeps.update(session, slots, where, (one) => ({
          ...one,
          // Nobody renews it here: work that takes longer meets another who does it too.
          dueAt: firstLease(now, leaseUntil).getTime(),
          attempts: one.attempts + 1,
          updatedAt: at,
        }))
        return row === undefined ? null : { id: row.id, asset: fresh.asset, key: row.key, attempts: row.attempts }
      })
    },
  }
}

function healthOf({ tables: { settlements, ledger } }: Disk, viewer: Viewer, now: Date) {
  const rows = rowsOf(viewer, settlements.by.open, 'open').map(({ settlement }) => settlement)
  const sums = new Map<string, bigint>()
  for (const { journal, atomic } of allRows(viewer, ledger)) sums.set(journal, (sums.get(journal) ?? 0n) + atomic)
  const openOf = (some: readonly Settlement[]) => ({
    inFlight: some.filter(({ status }) => status === 'claimed').length,
    inDoubt: some.filter(({ status }) => status === 'in_doubt').length,
    oldestSeconds:
      some.length === 0
        ? null
        : Math.max(...some.map(({ createdAt }) => Math.max(0, (now.getTime() - createdAt.getTime()) / 1_000))),
  })
  return {
    ...openOf(rows),
    byNetwork: [...Map.groupBy(rows, ({ order }) => networkOf(order))].map(([network, its]) => ({
      network,
      ...openOf(its),
    })),
    ledgerBalanced: [...sums.values()].every((sum) => sum === 0n),
  }
}

function toPaymentEvent({
  id,
  taskId,
  type,
  status,
  amount,
  asset,
  from,
  to,
  txHash,
  note,
  at,
}: NewPaymentEvent): PaymentEvent {
  return {
    id,
    taskId,
    type,
    status,
    amount: amount === null ? null : { atomic: amount.atomic, asset },
    from,
    to,
    network: asset.network,
    token: asset.symbol,
    txHash,
    note: note ?? null,
    at,
  }
}
