/** What a counter says about one request. */
export type RateVerdict = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

export type RateLimiter = {
  /** Counts one request of `key`. */
  take(key: string, now: number): RateVerdict
  /** Looks without counting. */
  peek(key: string, now: number): RateVerdict
  /** How many requests it did not let pass. */
  refusals(): number
}

type Window = { startedAt: number; count: number }

const maxKeys = 50_000

/**
 * Counts requests in fixed windows, in this process. `most` 0 lets everything pass, and a
 * function is asked each time, so that a limit may change. The table is bounded: when it
 * is full the oldest key is forgotten, which favours a caller and never refuses one wrongly.
 */
export function createRateLimiter(most: number | (() => number), windowMs: number): RateLimiter {
  const limitNow = typeof most === 'number' ? (): number => most : most
  let refused = 0
  const windows = new Map<string, Window>()
  const verdict = (window: Window, allowed: boolean, limit: number): RateVerdict => {
    if (!allowed) refused += 1
    return { allowed, limit, remaining: Math.max(0, limit - window.count), resetAt: window.startedAt + windowMs }
  }
  const windowOf = (key: string, now: number): Window => {
    const known = windows.get(key)
    return known !== undefined && now < known.startedAt + windowMs ? known : { startedAt: now, count: 0 }
  }
  return {
    take(key, now) {
      const window = windowOf(key, now)
      const limit = limitNow()
      if (limit === 0) return verdict(window, true, limit)
      if (window.count >= limit) return verdict(window, false, limit)
      window.count += 1
      if (window.count === 1) {
        windows.delete(key)
        if (windows.size >= maxKeys) forgetOldest(windows)
        windows.set(key, window)
      }
      return verdict(window, true, limit)
    },
    peek(key, now) {
      const window = windowOf(key, now)
      const limit = limitNow()
      return verdict(window, limit === 0 || window.count < limit, limit)
    },
    refusals: () => refused,
  }
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key)
    return
  }
}
