/**
 * What an address may say behind `?`: texts by name. A screen gives its own fields meaning; everything survives a
 * reload.
 */
export type Search = Readonly<Record<string, string | undefined>>

const longestValue = 500

/** Reads the fields of an address; what is no text, number or yes is left out. */
export function readSearch(given: Record<string, unknown>): Search {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      read[name] = String(value).slice(0, longestValue)
  }
  return read
}
