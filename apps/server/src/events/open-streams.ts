import { MarketError } from '@ergon/core'

export type OpenStreams = { /** Counts a stream until the release that it answers is called. @throws RATE_LIMITED */ take(key: string): () => void }

/** Counts the streams that this process holds open, of one caller and of all. */
export function createOpenStreams({ each, inAll }: { readonly each: number; readonly inAll: number }): OpenStreams {
  const counts = new Map<string, number>()
  let all = 0
  return {
    take(key) {
      const count = counts.get(key) ?? 0
      if (count >= each || all >= inAll) throw new MarketError('RATE_LIMITED', { limit: each, remaining: 0 })
      counts.set(key, count + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = (counts.get(key) ?? 1) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
  }
}
