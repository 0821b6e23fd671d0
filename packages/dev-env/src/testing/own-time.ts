import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

export type Timed<T> = { readonly value: T; readonly ownMs: number }

const tickMs = 1

/**
 * Measures from now on, once: tells how long it was beyond what the event loop was late meanwhile. A machine that runs
 * something else holds up every turn of the loop; what is waited for holds up its own answer alone.
 */
export function ownClock(): () => Promise<number> {
  const late = monitorEventLoopDelay({ resolution: tickMs })
  late.enable()
  const from = performance.now()
  return async () => {
    const tookMs = performance.now() - from
    // What held up the last turn is counted with the next.
    await pause(2 * tickMs)
    late.disable()
    const lateMs = late.count === 0 ? 0 : Math.max(0, late.count * (late.mean / 1e6 - tickMs))
    return Math.max(0, tookMs - lateMs)
  }
}

/** Does something, and tells how long it took by {@link ownClock}. */
export async function ownTime<T>(run: () => Promise<T>): Promise<Timed<T>> {
  const ownMs = ownClock()
  const value = await run()
  return { value, ownMs: await ownMs() }
}
