import { randomUUID } from 'node:crypto'
import type { Surroundings } from './surroundings.ts'

/** The machine's own clock, timers and randomness: no other file of the source reaches for them. */
export const platform: Surroundings = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => {
      clearTimeout(timer)
    }
  },
  turn: () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    }),
  id: () => randomUUID(),
}
