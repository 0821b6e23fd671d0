/** One reading of the database's clock; the first two by the monotonic clock of this process, milliseconds. */
export type Reading = { readonly beganAt: number; readonly answeredAt: number; readonly nowMs: number }

export type SharedClock = {
  saw(reading: Reading): void
  now(): Date
  /** Of this machine's clock before the database's; null until the database was read. */
  aheadMs(): number | null
}

/** What the database's clock shows when ours shows zero, and by how much that may be wrong either way. */
type Offset = { readonly ms: number; readonly within: number }

const kept = 8
/** What two clocks drift apart between readings, and what a computer rounds. */
const tolerance = 20

/**
 * The clock of the database as this process reckons it: leases, deadlines and schedules of all servers are compared
 * with one another, so they are written by one clock (decision 0117). It goes by the monotonic clock, so nothing that
 * is done to the clock of this machine moves it. Of the last readings the quickest counts, unless the newest
 * contradicts it: then the clock of the database was set.
 */
export function createSharedClock(
  machine: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): SharedClock {
  let offsets: readonly Offset[] = []
  let best: Offset | undefined
  const nowMs = (): number => (best === undefined ? machine() : monotonic() + best.ms)
  return {
    saw({ beganAt, answeredAt, nowMs: shown }) {
      const newest: Offset = { ms: shown - (beganAt + answeredAt) / 2, within: (answeredAt - beganAt) / 2 }
      const agreeing = offsets.filter(
        ({ ms, within }) => Math.abs(ms - newest.ms) <= within + newest.within + tolerance,
      )
      offsets = [newest, ...agreeing].slice(0, kept)
      best = offsets.toSorted((one, other) => one.within - other.within)[0]
    },
    now: () => new Date(nowMs()),
    aheadMs: () => (offsets.length === 0 ? null : machine() - nowMs()),
  }
}
