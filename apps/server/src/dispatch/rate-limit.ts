/** What a counter says of one request. */
export type RateVerdict = { readonly allowed: boolean; readonly limit: number; readonly remaining: number; readonly resetAt: number }

export type RateLimiter = {
  /** Counts one request of `key`. */
  take(key: string, now: number): RateVerdict
  /** Looks without counting. */
  peek(key: string, now: number): RateVerdict
}

type Window = { startedAt: number; count: number }

const maxKeys = 50_000

/**
 * Counts requests in fixed windows, in this process. `limit` 0 lets everything pass. The table is bounded: when it
 * is full the oldest key is forgotten, which favours a caller and never refuses one wrongly.
 */
export function createRateLimiter(limit: number, windowMs: number): RateLimiter {
  const windows = new Map<string, Window>()
  const verdict = (window: Window, allowed: boolean): RateVerdict => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - window.count),
    resetAt: window.startedAt + windowMs,
  })
  const windowOf = (key: string, now: number): Window => {
    const known = windows.get(key)
    return known !== undefined && now < known.startedAt + windowMs ? known : { startedAt: now, count: 0 }
  }
  return {
    take(key, now) {
      const window = windowOf(key, now)
      if (limit === 0) return verdict(window, true)
      if (window.count >= limit) return verdict(window, false)
      window.count += 1
      if (window.count === 1) {
        windows.delete(key)
        if (windows.size >= maxKeys) forgetOldest(windows)
        windows.set(key, window)
      }
      return verdict(window, true)
    },
    peek(key, now) {
      const window = windowOf(key, now)
      return verdict(window, limit === 0 || window.count < limit)
    },
  }
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key)
    return
  }
}
