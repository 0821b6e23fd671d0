/** A duty that is done again and again until it is disposed of. */
export type Loop = AsyncDisposable & {
  /** Something is due: go on now rather than at the next round. */
  wake(): void
}

export type LoopOptions = {
  readonly name: string
  /** One round; answers how many things it finished. */
  readonly run: () => Promise<number>
  readonly intervalMs: number
  /** So long after a round the next one begins at the soonest, however often it is woken; 0 when left out. */
  readonly gapMs?: number
  readonly onError: (name: string, error: unknown) => void
}

const busyMs = 20
const maxWaitMs = 60_000

/**
 * Runs a duty with a pause between rounds, never two rounds at once. The pause is jittered, so that processes do not
 * march in step; it is short while there is work and doubles while rounds fail.
 */
export function createLoop(options: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let isWoken = false
  let isStopped = false
  let failures = 0
  let restedAt = Number.NEGATIVE_INFINITY
  const { gapMs = 0 } = options

  const schedule = (waitMs: number): void => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(begin, waitMs)
  }
  const begin = (): void => {
    if (round !== undefined || isStopped) return
    isWoken = false
    round = attempt().then((waitMs) => {
      round = undefined
      restedAt = performance.now()
      schedule(isWoken && failures === 0 ? gapMs : waitMs)
    })
  }
  const attempt = async (): Promise<number> => {
    try {
      const finished = await options.run()
      failures = 0
      return finished > 0 ? busyMs : options.intervalMs * (0.75 + Math.random() / 2)
    } catch (error) {
      failures += 1
      options.onError(options.name, error)
      return Math.min(maxWaitMs, options.intervalMs * 2 ** failures)
    }
  }

  schedule(busyMs)
  return {
    wake() {
      if (isWoken) return
      isWoken = true
      // A wake-up does not shorten the pause after a failure.
      if (round === undefined && failures === 0) schedule(Math.max(0, restedAt + gapMs - performance.now()))
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
