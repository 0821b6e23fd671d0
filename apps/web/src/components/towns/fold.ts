/** Letters that Unicode does not take apart into a letter and a mark, as people type them who do not have them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ə: 'e',
}

/**
 * A name without case, diacritics and apostrophes, and with one space between its words: `Saint-Denis`, `saint denis`.
 */
export function folded(name: string): string {
  const lower = name.toLowerCase()
  // Most names are plain; taking the others apart is what costs.
  const plain = /^[\0-\x7f]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[ßøłđðþæœıə]/g, (letter) => plainLetters[letter] ?? letter)
  return plain
    .replaceAll(/['’‘ʻʼ`]/g, '')
    .replaceAll(/[\s\-–./,()]+/g, ' ')
    .trim()
}
