import type { Finding } from './finding.ts'
import type { Following } from './following.ts'

/** How far one chain was followed: how many blocks are left of it, and how much of its time they are. */
export type ChainLag = {
  readonly network: string
  readonly block: bigint
  readonly lagBlocks: bigint
  readonly lagSeconds: number
  readonly readAt: Date
  /** When the newest block was made. */
  readonly headAt: Date
}

/** A chain that is followed no further than this is an alarm. */
const mostBehindMs = 300_000

export function lagOf({ network, followed, head, readAt }: Following): ChainLag {
  const lagSeconds = Math.max(0, (head.at.getTime() - followed.at.getTime()) / 1_000)
  return {
    network,
    block: followed.number,
    lagBlocks: head.number > followed.number ? head.number - followed.number : 0n,
    lagSeconds,
    readAt,
    headAt: head.at,
  }
}

/** Chains that nobody reads, or not fast enough. */
export function chainsBehind(followings: readonly Following[], now: Date): readonly Finding[] {
  return followings.flatMap((following): Finding[] => {
    const { network, block, lagBlocks, lagSeconds, readAt } = lagOf(following)
    const isStill = now.getTime() - readAt.getTime() > mostBehindMs
    if (!isStill && lagSeconds * 1_000 <= mostBehindMs) return []
    const detail =
      `followed up to block ${block.toString()}, ${lagBlocks.toString()} behind, ` + `last read ${readAt.toISOString()}`
    return [
      {
        kind: 'behind',
        subject: network,
        taskId: null,
        settlementId: null,
        network,
        asset: null,
        atomic: null,
        detail,
      },
    ]
  })
}
