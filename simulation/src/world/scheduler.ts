/** Whoever an event belongs to: what a dead process waited for never happens. */
export type Owner = {
  readonly alive: boolean
  /** Until then it is paused: what comes due meanwhile comes after. */
  readonly stalledUntil: number
}

type Entry = {
  at: number
  readonly order: number
  readonly owner: Owner | null
  readonly label: string
  run: (() => void) | null
}

/** Owns what happens when: one event at a time, in the order of their times, which the seed has drawn. */
export type Scheduler = {
  /** Milliseconds since the world began, in its own true time. */
  now(): number
  /** The answer takes the event back. */
  after(ms: number, owner: Owner | null, label: string, run: () => void): () => void
  /** Runs the next event; false when nothing is left to happen. */
  step(): boolean
  /**
   * Lets time pass for everybody at once, as for machines that sleep: what is due in a second is still due in a second.
   */
  warp(ms: number): void
  /** Like `now`, without the time that was slept through. */
  awake(): number
  readonly steps: number
}

export type SchedulerOptions = {
  /** Told of each step; undefined where nobody reads. */
  readonly onStep: ((atMs: number, label: string) => void) | undefined
}

function before(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

export function createScheduler({ onStep }: SchedulerOptions): Scheduler {
  const heap: Entry[] = []
  // The heap knows nothing of the time that was slept through.
  let time = 0
  let slept = 0
  let order = 0

  const push = (entry: Entry): void => {
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !before(entry, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = entry
  }
  const pop = (): Entry | undefined => {
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined || heap.length === 0) return top
    const { length } = heap
    let at = 0
    for (let left = 1; left < length; left = at * 2 + 1) {
      // Both children are inside of the heap where they are asked for.
      const one = heap[left] as Entry
      const two = left + 1 < length ? (heap[left + 1] as Entry) : one
      const isRight = two !== one && before(two, one)
      const child = isRight ? two : one
      if (!before(child, last)) break
      heap[at] = child
      at = isRight ? left + 1 : left
    }
    heap[at] = last
    return top
  }

  const scheduler: Scheduler & { steps: number } = {
    // A plain field: with a getter in it, every such object would have a shape of its own that outlives it.
    steps: 0,
    now: () => time + slept,
    awake: () => time,
    warp(ms) {
      slept += ms
    },
    after(ms, owner, label, run) {
      order += 1
      const entry: Entry = { at: time + Math.max(0, ms), order, owner, label, run }
      push(entry)
      return () => {
        entry.run = null
      }
    },
    step() {
      for (;;) {
        const entry = pop()
        if (entry === undefined) return false
        if (entry.run === null || (entry.owner !== null && !entry.owner.alive)) continue
        if (entry.owner !== null && entry.owner.stalledUntil > entry.at) {
          entry.at = entry.owner.stalledUntil
          push(entry)
          continue
        }
        time = entry.at
        scheduler.steps += 1
        onStep?.(time + slept, entry.label)
        entry.run()
        return true
      }
    },
  }
  return scheduler
}
