import type { ChainBlock } from '../ports/chain-logs.ts'
import type { Asset } from '../money/amount.ts'
import type { BookedMovement } from '../ports/store-follow.ts'
import type { MarketDeps } from './deps.ts'

/** A node may lag, or have lost the block it answers from: a log counts as undone after two looks so far apart. */
const lostAfterMs = 60_000

/** Deep enough under the newest block, and missing for long enough. */
export function isLongLost(
  { missingSince, blockNumber }: BookedMovement,
  { now, depth, head }: { readonly now: Date; readonly depth: bigint; readonly head: ChainBlock },
): boolean {
  return (
    missingSince !== null &&
    missingSince.getTime() > 0 &&
    now.getTime() - missingSince.getTime() >= lostAfterMs &&
    head.number >= blockNumber + depth
  )
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
