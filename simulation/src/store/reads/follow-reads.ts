import type { ChainBlock, UnpaidFee } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import type { SettlementRow } from '../rows.ts'
import { isOpenRow } from '../tx/settlement-tx.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type FollowReads = Part<
  | 'leaseFollowing'
  | 'putFollowing'
  | 'followings'
  | 'bookedMovements'
  | 'bookedDistributions'
  | 'bookedTransfers'
  | 'knownPayments'
  | 'watchedTransfers'
  | 'payersOwing'
  | 'feeOwedBy'
  | 'feeOwedFor'
>

export function followReads(parts: StoreParts): FollowReads {
  const { disk, line } = parts
  const { followings } = disk.tables
  return {
    async leaseFollowing(network, now, until) {
      await line.write('leaseFollowing begin', (session) =>
        followings.insert(session, { network, following: null, dueAt: -Infinity }, [followings.by.pkey]),
      )
      const [row] = await line.write('leaseFollowing', (session) => {
        const where = ({ dueAt }: { readonly dueAt: number }): boolean => dueAt <= now.getTime()
        return followings.update(session, slotsOf(session, followings.by.pkey, network, where), where, (one) => ({
          ...one,
          dueAt: until.getTime(),
        }))
      })
      return row === undefined ? null : { following: row.following }
    },
    putFollowing: ({ network, first, followed, head, readAt }, due) =>
      line.write('putFollowing', async (session) => {
        await followings.update(
          session,
          slotsOf(session, followings.by.pkey, network),
          anything,
          ({ following: known }) => ({
            network,
            dueAt: due.getTime(),
            following: {
              network,
              first: known?.first ?? first,
              followed: higher(known?.followed, followed),
              head: higher(known?.head, head),
              readAt,
            },
          }),
        )
      }),
    followings: () =>
      line.read('followings', (viewer) =>
        sortedBy(
          allRows(viewer, followings).flatMap(({ following }) => following ?? []),
          ({ network }) => network,
        ),
      ),
    ...bookedReads(parts),
    ...distributionReads(parts),
    ...transferReads(parts),
  }
}

function transferReads({ disk, line }: StoreParts): Part<'bookedTransfers'> {
  const { movements, settlements } = disk.tables
  return {
    async bookedTransfers(network, from, limit) {
      const all = await line.read('bookedTransfers', (viewer) =>
        allRows(
          viewer,
          movements,
          (row) =>
            row.network === network &&
            (row.missingSince !== null || row.blockNumber >= from) &&
            row.kind === 'charged' &&
            row.feeBps === null &&
            row.logIndex >= 0 &&
            row.settlementId !== null,
        ),
      )
      const booked = [
        ...sortedBy(
          all.filter((row) => row.missingSince !== null),
          ({ missingSince }) => missingSince?.getTime() ?? 0,
        ).slice(0, limit),
        ...sortedBy(
          sortedBy(
            all.filter((row) => row.missingSince === null),
            ({ logIndex }) => logIndex,
          ),
          ({ blockNumber }) => blockNumber,
        ).slice(0, limit),
      ]
      if (booked.length === 0) return []
      return line.read('bookedTransfers settlements', (viewer) =>
        booked.flatMap((movement) => {
          const row = rowOf(viewer, settlements.by.pkey, movement.settlementId ?? '')
          return row === undefined ? [] : [{ movement, settlement: row.settlement }]
        }),
      )
    },
  }
}

function distributionReads({ disk, line }: StoreParts): Part<'bookedDistributions'> {
  const { distributions } = disk.tables
  return {
    bookedDistributions: (network, from, through) =>
      line.read('bookedDistributions', (viewer) =>
        allRows(
          viewer,
          distributions,
          (row) =>
            row.network === network && row.blockNumber >= from && row.blockNumber <= through && row.logIndex >= 0,
        ),
      ),
  }
}

function bookedReads({
  disk,
  line,
}: StoreParts): Part<
  'bookedMovements' | 'knownPayments' | 'watchedTransfers' | 'payersOwing' | 'feeOwedBy' | 'feeOwedFor'
> {
  const { movements, settlements } = disk.tables
  return {
    bookedMovements: (network, from, through) =>
      line.read('bookedMovements', (viewer) =>
        allRows(
          viewer,
          movements,
          (row) =>
            row.network === network &&
            (row.missingSince !== null || (row.blockNumber >= from && row.blockNumber <= through)) &&
            (row.kind !== 'charged' || row.feeBps !== null),
        ),
      ),
    knownPayments: (network, hashes) =>
      line.read('knownPayments', (viewer) => {
        const locks = allRows(viewer, settlements, ({ settlement }) => settlement.purpose === 'lock').map(
          ({ settlement }) => settlement,
        )
        const known = locks.flatMap((lock) =>
          lock.order.kind === 'authorize' &&
          lock.order.payment.network === network &&
          hashes.includes(lock.order.payment.hash)
            ? [{ payment: lock.order.payment, lock }]
            : [],
        )
        return sortedBy(
          [...new Map(known.map((one) => [one.payment.hash, one])).values()],
          ({ payment }) => payment.hash,
        )
      }),
    watchedTransfers: (network, limit) =>
      line.read('watchedTransfers', (viewer) => {
        const rows = allRows(viewer, settlements, (row) => {
          const { purpose, order, status } = row.settlement
          return (
            (purpose === 'payout' || purpose === 'fee') &&
            (isOpenRow(row) || (status === 'refused' && row.watchUntil !== null)) &&
            order.kind === 'charge' &&
            order.transfer.network === network
          )
        })
        return sortedBy(rows, ({ dueAt }) => dueAt)
          .slice(0, limit)
          .map(({ settlement }) => settlement)
      }),
    payersOwing: (network, limit) => line.read('payersOwing', (viewer) => owing(disk, viewer, network).slice(0, limit)),
    feeOwedBy: (wallet) =>
      line.read('feeOwedBy', (viewer) =>
        feeOwed(
          disk,
          viewer,
          ({ settlement }) =>
            rowOf(viewer, disk.tables.tasks.by.pkey, settlement.taskId)?.task.publisherWallet === wallet,
        ),
      ),
    feeOwedFor: (taskId) =>
      line.read('feeOwedFor', (viewer) => feeOwed(disk, viewer, ({ settlement }) => settlement.taskId === taskId)),
  }
}

const unpaid: ReadonlySet<string> = new Set(['accepted', 'in_progress', 'submitted', 'verifying'])

/** Publishers who pay for a task directly, or owe its fee. */
function owing({ tables: { settlements, tasks } }: Disk, viewer: Viewer, network: string): readonly string[] {
  const isRefused = (taskId: string): boolean =>
    rowsOf(viewer, settlements.by.task, taskId, ({ settlement: { purpose, status } }) => {
      return purpose === 'fee' && status === 'refused'
    }).length > 0
  const rows = allRows(viewer, tasks, ({ task }) => {
    const { status, escrowStatus, executorId, bounty, feeTx } = task
    if (bounty.asset.network !== network || escrowStatus !== 'none' || executorId === null) return false
    return unpaid.has(status) || (status === 'completed' && feeTx === null && isRefused(task.id))
  })
  return [...new Set(rows.map(({ task }) => task.publisherWallet))].toSorted()
}

/** Whoever is behind another process takes nothing back. */
function higher(known: ChainBlock | undefined, given: ChainBlock): ChainBlock {
  return known === undefined || known.number <= given.number ? given : known
}

/** Fees that were refused after their worker was paid. One that fell with its payout was never sent: it has no code. */
function feeOwed(
  { tables: { settlements } }: Disk,
  viewer: Viewer,
  of: (row: SettlementRow) => boolean,
): UnpaidFee | null {
  const refused = allRows(
    viewer,
    settlements,
    (row) =>
      row.settlement.purpose === 'fee' &&
      of(row) &&
      (row.settlement.status === 'refused' ? row.code !== null : isOpenRow(row) && row.lastRefusal !== null),
  )
  const owed = refused.filter(({ settlement: { taskId, submissionId, subject } }) => {
    const isPaid =
      rowsOf(
        viewer,
        settlements.by.task,
        taskId,
        ({ settlement }) =>
          settlement.submissionId === submissionId &&
          settlement.purpose === 'payout' &&
          settlement.status === 'confirmed',
      ).length > 0
    return (
      isPaid &&
      rowsOf(
        viewer,
        settlements.by.subject,
        subject,
        ({ settlement }) => settlement.purpose === 'fee' && settlement.status === 'confirmed',
      ).length === 0
    )
  })
  const first = sortedBy(owed, ({ settlement }) => settlement.createdAt.getTime())[0]?.settlement
  if (first === undefined || first.submissionId === null || first.order.kind !== 'charge') return null
  const {
    taskId,
    submissionId,
    executorId,
    subject,
    order: { transfer },
  } = first
  const isUnderWay =
    rowsOf(viewer, settlements.by.subject, subject, (row) => row.settlement.purpose === 'fee' && isOpenRow(row))
      .length > 0
  return { taskId, submissionId, executorId, subject, fee: transfer.amount, payer: transfer.from, isUnderWay }
}
