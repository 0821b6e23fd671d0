type GateSettings = {
  /** Pieces of work at once. */
  readonly width: number
  /** How many may wait, in all and in one lane, and how long. */
  readonly maxWaiting: number
  readonly maxInLane: number
  readonly maxWaitMs: number
}

/**
 * Lets so many pieces of work run at once. Whoever waits does so in a lane of its own, and the lanes take turns: a lane
 * with forty that wait holds up another by one piece of work, not by forty.
 */
type FairGate = {
  /**
   * Resolves once there is room, with what gives the place back; undefined when none came free in time, or too many
   * wait.
   */
  enter(lane: string): Promise<(() => void) | undefined>
}

type Waiting = { readonly admit: () => void; readonly timer: NodeJS.Timeout }

export function createFairGate({ width, maxWaiting, maxInLane, maxWaitMs }: GateSettings): FairGate {
  /** In the order of their turns; none is empty. */
  const lanes = new Map<string, Set<Waiting>>()
  let [running, waitingInAll] = [0, 0]

  const remove = (lane: string, one: Waiting): void => {
    clearTimeout(one.timer)
    const line = lanes.get(lane)
    if (line?.delete(one) !== true) return
    waitingInAll -= 1
    if (line.size === 0) lanes.delete(lane)
  }
  const handOn = (): void => {
    const [first] = lanes
    if (first === undefined) {
      running -= 1
      return
    }
    const [lane, line] = first
    const [next] = line
    if (next === undefined) throw new Error('a lane in line has a request in it')
    remove(lane, next)
    // Whoever had a turn goes to the end.
    if (lanes.delete(lane)) lanes.set(lane, line)
    next.admit()
  }
  const place = (): (() => void) => {
    let isHeld = true
    return () => {
      if (isHeld) handOn()
      isHeld = false
    }
  }

  return {
    enter(lane) {
      if (running < width) {
        running += 1
        return Promise.resolve(place())
      }
      const line = lanes.get(lane) ?? new Set<Waiting>()
      if (waitingInAll >= maxWaiting || line.size >= maxInLane) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const one: Waiting = {
          admit: () => {
            resolve(place())
          },
          timer: setTimeout(() => {
            remove(lane, one)
            resolve(undefined)
          }, maxWaitMs),
        }
        lanes.set(lane, line.add(one))
        waitingInAll += 1
      })
    },
  }
}
