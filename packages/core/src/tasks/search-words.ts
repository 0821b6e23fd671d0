import { MarketError } from '../errors.ts'

/** A search is at most this many words, of which each is at most so long. */
const most = 8
const longest = 40

/**
 * What is looked for, word by word: without case and marks, so that `camion` finds `Camión`.
 * @throws VALIDATION_FAILED where there is no word in it, or too many
 */
export function searchWords(typed: string): readonly string[] {
  const words = [...new Set(folded(typed).match(/[\p{L}\p{N}]+/gu))]
  if (words.length > 0 && words.length <= most && words.every((word) => word.length <= longest)) return words
  throw new MarketError('VALIDATION_FAILED', {
    field: 'q',
    constraint: `1 to ${String(most)} words of letters and digits, each of at most ${String(longest)}`,
    received: typed,
  })
}

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** Whether every word is there, whole or as the beginning of a longer one. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const there = folded(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => there.some((one) => (word.length > 2 ? one.startsWith(word) : one === word)))
}
