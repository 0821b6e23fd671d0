/** JSON that keeps bigints, for rows only this adapter reads: a bigint is `{"$n":"123"}`. */
export function toRowJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? { $n: one.toString() } : one))
}

/** Revives what `toRowJson` wrote; the driver has parsed the JSON already. */
export function fromRowJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromRowJson)
  if (typeof value !== 'object' || value === null) return value
  const tagged: unknown = Reflect.get(value, '$n')
  if (typeof tagged === 'string' && Object.keys(value).length === 1) return BigInt(tagged)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fromRowJson(one)]))
}
