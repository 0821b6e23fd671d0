import { limits } from '@ergon/contract'

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

/** The service takes this many words of at most that many letters. */
const mostWords = 8
const longestWord = 40

/** The words of a search as the service takes them; more is as if it had not been typed. */
export function readWords(typed: string | undefined): string | undefined {
  const words = typed?.match(/[\p{L}\p{M}\p{N}]+/gu)?.slice(0, mostWords)
  return words
    ?.map((word) => word.slice(0, longestWord))
    .join(' ')
    .slice(0, limits.searchMax)
    .trim()
}
