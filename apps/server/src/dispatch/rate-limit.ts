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

/** The counter of an address. Whoever has an IPv6 address has its whole /64, so that is what is counted. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? left : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key)
    return
  }
}
