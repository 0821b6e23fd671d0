import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How busy the one thread is that everybody shares. */
export type LoopWatch = Disposable & {
  /** In the last second, milliseconds. */
  delayMs(): number
  /** At least so much in each of the last three: one long stall is over when it is seen, and sheds nobody. */
  lastingMs(): number
}

const resolutionMs = 20
const windowMs = 1_000
const lastingWindows = 3

/**
 * Measures how late timers fire over windows of a second: nine of ten were not later. A stall that outlasts a window
 * counts at once.
 */
export function watchEventLoop(): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let windows: readonly number[] = []
  const timer = setInterval(() => {
    // Without a sample the loop never came round in time to take one. What a timer waits for is no delay.
    const last = histogram.count === 0 ? windowMs : Math.max(0, histogram.percentile(90) / 1e6 - resolutionMs)
    windows = [last, ...windows].slice(0, lastingWindows)
    histogram.reset()
  }, windowMs)
  timer.unref()
  return {
    delayMs: () => Math.round((windows[0] ?? 0) * 10) / 10,
    lastingMs: () => (windows.length < lastingWindows ? 0 : Math.min(...windows)),
    [Symbol.dispose]: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
