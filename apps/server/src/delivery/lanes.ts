/**
 * Work under way: bounded in all, and counted by lane, so that a slow lane keeps its own work waiting and no other's.
 */
export type Lanes = {
  /** How much more may begin now. */
  room(): number
  /** What is under way, by lane. */
  counts(): ReadonlyMap<string, number>
  /** Begins it and does not wait for it. What it throws is told to `onError`. */
  begin(lane: string, work: () => Promise<void>): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

export type LanesOptions = {
  readonly atOnce: number
  /** Something ended: more may begin. */
  readonly onRoom: () => void
  readonly onError: (error: unknown) => void
}

export function createLanes({ atOnce, onRoom, onError }: LanesOptions): Lanes {
  const counts = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const move = (lane: string, by: number): void => {
    const count = (counts.get(lane) ?? 0) + by
    if (count === 0) counts.delete(lane)
    else counts.set(lane, count)
  }
  return {
    room: () => Math.max(0, atOnce - running.size),
    counts: () => counts,
    begin(lane, work) {
      move(lane, 1)
      const one = work()
        .catch(onError)
        .finally(() => {
          move(lane, -1)
          running.delete(one)
          onRoom()
        })
      running.add(one)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
