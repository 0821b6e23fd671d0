/** A block as a node shows it. */
export type ChainBlock = { readonly number: bigint; readonly at: Date }

/** How far a chain has been followed. */
export type Following = {
  readonly network: string
  /** Nothing before it is read: what was booked until then rests on our own word. */
  readonly first: bigint
  /** The last block that was read. */
  readonly followed: ChainBlock
  readonly head: ChainBlock
  /** When the chain was last read up to where it was to be read. */
  readonly readAt: Date
}

/**
 * A log that is written down when its chain was followed so many blocks further is looked for: whoever read it may have
 * held it up for so long that its block was given up meanwhile. No chain's depth is smaller.
 */
export const lateBlocks = 16
