import { lateBlocks, BookedForAnother, type Distribution, type Movement } from '@ergon/core'
import { allSlots, rowsOf, rowOf, slotsOf } from '../engine/table.ts'
import type { MovementRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'

type MovementPart = Part<
  | 'addMovement'
  | 'movements'
  | 'moveMovement'
  | 'missMovement'
  | 'dropMovement'
  | 'addDistribution'
  | 'dropDistribution'
  | 'isDistributed'
>

const placed = ({ network, txHash, logIndex }: Pick<Movement, 'network' | 'txHash' | 'logIndex'>): string =>
  keyOf(network, txHash, String(logIndex))

/** The same log in another block: the chain was reorganized, and it was mined again. */
function isAgain(row: Distribution, { network, txHash, blockNumber, asset, atomic }: Distribution): boolean {
  const isSame =
    row.network === network && row.txHash === txHash && row.asset.symbol === asset.symbol && row.atomic === atomic
  return isSame && row.logIndex >= 0 && row.blockNumber !== blockNumber
}

export function movementTx(deps: TxDeps): MovementPart {
  const {
    disk: {
      tables: { movements, distributions, followings },
    },
    run,
  } = deps
  return {
    addMovement: (movement, { taskId, settlementId }) =>
      run('tx.addMovement', async (session) => {
        const { network, txHash, logIndex, blockNumber, hash, kind, atomic, feeBps } = movement
        const earlier = rowsOf(
          session,
          movements.by.tx,
          keyOf(network, txHash),
          (row) => row.logIndex === -1 && row.hash === hash && row.kind === kind,
        )
        // It was booked before logs were counted.
        if (earlier.length > 0) return false
        let isFresh = true
        const booked = await movements.upsert(
          session,
          {
            network,
            txHash,
            logIndex,
            blockNumber,
            hash,
            kind,
            atomic,
            feeBps,
            taskId,
            settlementId,
            missingSince: isLate(followings, session, movement) ? new Date(0) : null,
          },
          movements.by.pkey,
          (row) => {
            isFresh = false
            return { ...row, settlementId: row.settlementId ?? settlementId }
          },
        )
        if (settlementId !== null && booked?.settlementId !== settlementId) throw new BookedForAnother(movement)
        return isFresh
      }),
    movements: (network, hash) =>
      run('tx.movements', (session) => rowsOf(session, movements.by.payment, keyOf(network, hash)).sort(byPlace)),
    ...bookedTx(deps),
    addDistribution: distributionTx(deps),
    isDistributed: isDistributed(deps),
    dropDistribution: (distribution) =>
      run(
        'tx.dropDistribution',
        async (session) =>
          (
            await distributions.remove(
              session,
              slotsOf(session, distributions.by.pkey, placed(distribution)),
              (row) => row.atomic === distribution.atomic,
            )
          ).length === 1,
      ),
  }
}

/** Its block is one that the follower has left behind. */
function isLate(
  followings: TxDeps['disk']['tables']['followings'],
  session: Parameters<typeof rowOf>[0],
  { network, blockNumber }: Movement,
): boolean {
  const followed = rowOf(session, followings.by.pkey, network)?.following?.followed.number
  return followed !== undefined && followed >= blockNumber + BigInt(lateBlocks)
}

function isDistributed({ disk, run }: TxDeps): MovementPart['isDistributed'] {
  const { distributions } = disk.tables
  return ({ network, txHash, asset: { symbol } }) =>
    run('tx.isDistributed', (session) => {
      const isIts = (row: Distribution): boolean =>
        row.network === network && row.txHash === txHash && row.asset.symbol === symbol
      return allSlots(session, distributions, isIts).length > 0
    })
}

function distributionTx({ disk, run }: TxDeps): MovementPart['addDistribution'] {
  const { distributions } = disk.tables
  return (distribution) =>
    run('tx.addDistribution', async (session) => {
      if (rowOf(session, distributions.by.pkey, placed({ ...distribution, logIndex: -1 })) !== undefined) return false
      const where = (row: Distribution): boolean => isAgain(row, distribution)
      const again = allSlots(session, distributions, where)
      if ((await distributions.update(session, again, where, () => distribution)).length > 0) return false
      return distributions.insert(session, distribution, [distributions.by.pkey])
    })
}

function bookedTx({
  disk: {
    tables: { movements },
  },
  run,
}: TxDeps): Part<'moveMovement' | 'missMovement' | 'dropMovement'> {
  return {
    moveMovement: (movement, { blockNumber, logIndex }) =>
      run('tx.moveMovement', async (session) => {
        // Asked once, when the statement begins.
        const isTaken =
          logIndex !== movement.logIndex &&
          rowOf(session, movements.by.pkey, placed({ ...movement, logIndex })) !== undefined
        const slots = isTaken ? [] : slotsOf(session, movements.by.pkey, placed(movement))
        return (
          (
            await movements.update(
              session,
              slots,
              (row) => row.logIndex === movement.logIndex,
              (row) => ({ ...row, blockNumber, logIndex, missingSince: null }),
            )
          ).length === 1
        )
      }),
    missMovement: (movement, since) =>
      run('tx.missMovement', async (session) => {
        await movements.update(
          session,
          slotsOf(session, movements.by.pkey, placed(movement)),
          (row) => row.logIndex === movement.logIndex,
          (row) => ({ ...row, missingSince: (row.missingSince?.getTime() ?? 0) > 0 ? row.missingSince : since }),
        )
      }),
    dropMovement: (movement) =>
      run(
        'tx.dropMovement',
        async (session) =>
          (
            await movements.remove(
              session,
              slotsOf(session, movements.by.pkey, placed(movement)),
              (row) => row.logIndex === movement.logIndex,
            )
          ).length === 1,
      ),
  }
}

function byPlace(one: MovementRow, other: MovementRow): number {
  return one.blockNumber === other.blockNumber
    ? one.logIndex - other.logIndex
    : one.blockNumber < other.blockNumber
      ? -1
      : 1
}
