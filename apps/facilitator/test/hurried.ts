import { randomUUID } from 'node:crypto'
import type { Surroundings } from '../src/surroundings/surroundings.ts'

/** Time that runs so many times as fast, so that minutes of waiting are seconds of test. */
export function hurriedBy(speed: number): Surroundings {
  return {
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
}

export const hurried = hurriedBy(50)
