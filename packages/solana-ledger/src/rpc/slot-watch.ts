/** Slots take 0.4 s; a cluster that catches up after a halt makes them somewhat faster. */
const shortestSlotMs = 300
const slack = 150n

/** Which slots may be believed: no older than the newest read before, no newer than time allows since. */
export type SlotWatch = {
  /** Undefined before the first. */
  newest(): bigint | undefined
  /** False if the cluster cannot be there yet. */
  allows(slot: bigint): boolean
  note(slot: bigint): void
}

/** Before the first slot is noted every one is allowed. */
export function createSlotWatch(now: () => number): SlotWatch {
  let newest: { readonly slot: bigint; readonly at: number } | undefined
  return {
    newest: () => newest?.slot,
    allows: (slot) => {
      if (newest === undefined) return true
      const elapsed = BigInt(Math.ceil(Math.max(0, now() - newest.at) / shortestSlotMs))
      return slot <= newest.slot + elapsed + slack
    },
    note: (slot) => {
      if (newest === undefined || slot > newest.slot) newest = { slot, at: now() }
    },
  }
}
