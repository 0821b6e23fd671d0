import { setTimeout as pause } from 'node:timers/promises'

/**
 * The wall clock, a clock that only goes forward, and waiting: what adapters know of time, so that a test can own it.
 */
export type Time = { now(): Date; /** Milliseconds. */ monotonic(): number; delay(ms: number): Promise<void> }

export const platformTime: Time = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  async delay(ms) {
    await pause(ms)
  },
}
