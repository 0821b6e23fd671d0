import { randomUUID } from 'node:crypto'
import type { Surroundings } from '../src/surroundings/surroundings.ts'

const speed = 50

/** Time that runs fifty times as fast, so that minutes of waiting are seconds of test. */
export const hurried: Surroundings = {
  now: () => performance.timeOrigin + performance.now() * speed,
  monotonic: () => performance.now() * speed,
  after(ms, run) {
    const timer = setTimeout(run, ms / speed)
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
