import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
import { readCsv } from './read-csv.ts'

test.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  ['\uFEFFa\tb\n\n , \n"x\ty"\tz', [['a', 'b'], [' , '], ['x\ty', 'z']]],
  [
    'a,b\n"say ""x""","two\r\nlines"\n',
    [
      ['a', 'b'],
      ['say "x"', 'two\nlines'],
    ],
  ],
  [
    'a,b\n"x"y,z',
    [
      ['a', 'b'],
      ['x', 'z'],
    ],
  ],
  ['', []],
])('%j is read as its rows', (text, rows) => {
  expect(readCsv(text, 9)?.map(({ cells }) => cells)).toEqual(rows)
})

test('each row tells the line it begins at, and no more are read than asked for', () => {
  expect(readCsv('a,b\n"1\n2",3\n\n4,5\n6,7', 3)?.map(({ line }) => line)).toEqual([1, 2, 5])
})

test('a quotation that is never closed is no table', () => {
  expect(readCsv('a,b\n"1,2\n3,4', 9)).toBeUndefined()
})

test('what was written is read back', () => {
  const cell = fc
    .string({ minLength: 1, unit: fc.constantFrom('a', ',', '"', '\n', ';', ' ', 'ñ') })
    .map((text) => `x${text}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 }), (rows) => {
      const table = [['one', 'two', 'three'], ...rows]
      expect(readCsv(csvOf(table), 99)?.map(({ cells }) => cells)).toEqual(table)
    }),
  )
})
