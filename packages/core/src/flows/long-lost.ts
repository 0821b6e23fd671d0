import type { ChainBlock } from '../ports/chain-logs.ts'
import type { BookedMovement } from '../ports/store-follow.ts'

/** A node may lag, or have lost the block it answers from: a log counts as undone after two looks so far apart. */
const lostAfterMs = 60_000

/** Deep enough under the newest block, and missing for long enough. */
export function isLongLost(
  { missingSince, blockNumber }: BookedMovement,
  { now, depth, head }: { readonly now: Date; readonly depth: bigint; readonly head: ChainBlock },
): boolean {
  return (
    missingSince !== null && now.getTime() - missingSince.getTime() >= lostAfterMs && head.number >= blockNumber + depth
  )
}
