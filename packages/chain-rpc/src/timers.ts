/** The time of whoever asks, so that a simulation can bring its own. */
export type Timers = {
  /** Milliseconds that only ever grow. */
  monotonic(): number
  /** Runs once after `ms`; the answer cancels. */
  after(ms: number, run: () => void): () => void
}

/** The machine's own. */
export const machineTimers: Timers = {
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => {
      clearTimeout(timer)
    }
  },
}

export function delay(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve)
  })
}
