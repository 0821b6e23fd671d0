/**
 * A value as PostgreSQL gives it back from a jsonb column of ours: keys in its own order, shorter ones first, what is
 * undefined gone, times as text. Bigints stay, for the adapter writes and revives them.
 */
export function jsonb<T>(value: T): T {
  // The same type by construction; `unknown` inside, because JSON knows no other.
  return written(value) as T
}

function written(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(written)
  if (value instanceof Date) return value.toISOString()
  const fields = value as Readonly<Record<string, unknown>> // an object, read by its own keys
  const copy: Record<string, unknown> = {}
  for (const key of inOrder(Object.keys(fields))) {
    const one = fields[key]
    if (one !== undefined) copy[key] = written(one)
  }
  return copy
}

const isAfter = (one: string, other: string): boolean =>
  one.length > other.length || (one.length === other.length && one > other)

/** What came out of a column before is in order already. */
function inOrder(keys: string[]): readonly string[] {
  for (let at = 1; at < keys.length; at += 1) {
    if (isAfter(keys[at - 1] ?? '', keys[at] ?? '')) return keys.sort((one, other) => (isAfter(one, other) ? 1 : -1))
  }
  return keys
}
