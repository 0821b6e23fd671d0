/** Remembers at most `maxEntries` values for `ttlMs` each; the least recently set one goes first. */
export type BoundedCache<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

export function createBoundedCache<V>(maxEntries: number, ttlMs: number): BoundedCache<V> {
  const entries = new Map<string, { readonly value: V; readonly until: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined || entry.until > performance.now()) return entry?.value
      entries.delete(key)
      return undefined
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, until: performance.now() + ttlMs })
      const oldest = entries.size > maxEntries ? entries.keys().next() : undefined
      if (oldest?.done === false) entries.delete(oldest.value)
    },
    delete(key) {
      entries.delete(key)
    },
  }
}
