const mostKeys = 20_000

export type Bucket = { readonly burst: number; readonly perSecond: number }

/**
 * A token bucket for each key. The answer takes one token and tells 0, or how many seconds to wait for the next. The
 * table is bounded: a full one forgets the key that was counted longest ago, which favours a caller and nobody else.
 * `now` is milliseconds that only ever grow.
 */
export function createBuckets(
  { burst, perSecond }: Bucket,
  now: () => number = () => performance.now(),
): (key: string) => number {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  return (key) => {
    const at = now()
    const known = buckets.get(key)
    const tokens = known === undefined ? burst : Math.min(burst, known.tokens + ((at - known.at) / 1_000) * perSecond)
    // The newest comes last.
    buckets.delete(key)
    const [oldest] = buckets.size >= mostKeys ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    const isTaken = tokens >= 1
    buckets.set(key, { tokens: isTaken ? tokens - 1 : tokens, at })
    return isTaken ? 0 : Math.ceil((1 - tokens) / perSecond)
  }
}
