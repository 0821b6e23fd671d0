import { MarketError } from '@ergon/core'

/** Runs work side by side up to a limit; the rest waits its turn, up to another. */
export type Lane = { run<T>(work: () => Promise<T>): Promise<T> }

/** Throws RATE_LIMITED when the queue is full. */
export function createLane(maxRunning: number, maxWaiting: number): Lane {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = async (): Promise<void> => {
    if (running < maxRunning) {
      running += 1
      return
    }
    if (waiting.length >= maxWaiting) throw new MarketError('RATE_LIMITED', { limit: maxWaiting })
    // Whoever leaves hands its place over, so the count stays as it is.
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
