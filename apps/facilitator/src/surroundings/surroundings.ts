/** All that the facilitator takes from the machine it runs on besides its lines: time, turns of the event loop, ids. */
export type Surroundings = {
  /** Unix milliseconds, as the wall clock has them: it may jump. */
  now(): number
  /** Milliseconds that only ever grow, for measuring. */
  monotonic(): number
  /** Runs once after `ms`; the answer cancels. */
  after(ms: number, run: () => void): () => void
  /** Resolves in the next turn of the event loop. */
  turn(): Promise<void>
  /** A UUID that nobody can guess. */
  id(): string
}

export function delay(surroundings: Surroundings, ms: number): Promise<void> {
  return new Promise((resolve) => {
    surroundings.after(ms, resolve)
  })
}

/** Runs again and again, `ms` after the last run ended; the answer stops it. */
export function every(surroundings: Surroundings, ms: number, run: () => unknown): () => void {
  let stopped = false
  let cancel: () => void = () => undefined
  const once = async (): Promise<void> => {
    try {
      await run()
    } catch {
      // The next run is the remedy.
    }
  }
  const next = (): void => {
    cancel = surroundings.after(ms, () => {
      void once().finally(() => {
        if (!stopped) next()
      })
    })
  }
  next()
  return () => {
    stopped = true
    cancel()
  }
}

/** Unix seconds. */
export function seconds(surroundings: Surroundings): number {
  return Math.floor(surroundings.now() / 1000)
}
