import type { ChainBlock } from '../ports/chain-logs.ts'
import type { Asset } from '../money/amount.ts'
import type { BookedMovement } from '../ports/store-follow.ts'
import type { MarketDeps } from './deps.ts'

/** A node may lag, or have lost the block it answers from: a log counts as undone after two looks so far apart. */
const lostAfterMs = 60_000

/**
 * True when a log that was not where it was booked is lost: deep enough under the newest block, and missing for long
 * enough. The first look that misses it is written down.
 */
export async function isLongLost(
  { store, clock }: Pick<MarketDeps, 'store' | 'clock'>,
  movement: BookedMovement,
  { depth, head }: { readonly depth: bigint; readonly head: ChainBlock },
): Promise<boolean> {
  const now = clock.now()
  const { missingSince, blockNumber } = movement
  if (missingSince === null || missingSince.getTime() === 0) {
    await store.transaction((tx) => tx.missMovement(movement, now))
    return false
  }
  return now.getTime() - missingSince.getTime() >= lostAfterMs && head.number >= blockNumber + depth
}

/**
 * A worker was told of money that never was, and nothing pays it any more: a finding that no round ends, for a person
 * has to see to it. Before it is unbooked, so that a crash in between repeats both.
 */
export async function reportLost(
  { store, clock }: Pick<MarketDeps, 'store' | 'clock'>,
  { network, hash, taskId, settlementId, atomic }: BookedMovement,
  { asset, detail }: { readonly asset: Asset; readonly detail: string },
): Promise<void> {
  const scope = `lost:${network}:${hash}`
  const finding = {
    scope,
    kind: 'reorged',
    subject: hash,
    taskId,
    settlementId,
    network,
    asset,
    atomic,
    detail,
  } as const
  await store.reportFindings([scope], [finding], clock.now())
}
