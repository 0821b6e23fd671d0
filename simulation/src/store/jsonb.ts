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
  const entries = Object.entries(value)
  entries.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
  const copy: Record<string, unknown> = {}
  for (const [key, one] of entries) if (one !== undefined) copy[key] = written(one)
  return copy
}
