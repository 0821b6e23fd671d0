import { describe, expect, test } from 'vitest'
import { hasWords, searchWords } from './search-words.ts'

describe('the words of a search', () => {
  test.each([
    ['Camión ROJO', ['camion', 'rojo']],
    ['wi-fi, wi_fi', ['wi', 'fi']],
    ['ﬁg №5', ['fig', 'no5']],
    ['дом дом', ['дом']],
    ['a b c d e f g h', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['x'.repeat(40), ['x'.repeat(40)]],
  ])('%j are %j', (typed, words) => {
    expect(searchWords(typed)).toEqual(words)
  })

  test.each(['', '¡!', 'a b c d e f g h i', 'x'.repeat(41)])('%j is refused by the name of its field', (typed) => {
    const details = expect.objectContaining({ field: 'q', received: typed }) as unknown
    expect(() => searchWords(typed)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED', details }))
  })

  test.each([
    [['foto'], true],
    [['fot', 'cam'], true],
    [['camiones'], false],
    [['de'], true],
    [['d'], false],
    [['foto', 'tren'], false],
  ])('%j are in a text: %s', (words, areThere) => {
    expect(hasWords('Foto de un Camión', words)).toBe(areThere)
  })
})
