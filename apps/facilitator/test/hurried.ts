import { platform } from '../src/surroundings/platform.ts'
import type { Surroundings } from '../src/surroundings/surroundings.ts'

/** Time that runs so many times as fast, so that minutes of waiting are seconds of test. */
export const hurriedBy = (speed: number): Surroundings => ({
  ...platform,
  now: () => performance.timeOrigin + performance.now() * speed,
  monotonic: () => performance.now() * speed,
  after: (ms, run) => platform.after(ms / speed, run),
})

export const hurried = hurriedBy(50)
