const minuteMs = 60_000

export type Quota = { take(key: string, nowMs: number): boolean }

/** So many calls a minute for each key; a minute without any forgets the key. */
export function createQuota(perMinute: number): Quota {
  const taken = new Map<string, readonly number[]>()
  return {
    take(key, nowMs) {
      for (const [other, times] of taken) if ((times.at(-1) ?? 0) <= nowMs - minuteMs) taken.delete(other)
      const recent = (taken.get(key) ?? []).filter((at) => at > nowMs - minuteMs)
      if (recent.length >= perMinute) return false
      taken.set(key, [...recent, nowMs])
      return true
    },
  }
}
