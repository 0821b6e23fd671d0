import { describe, expect, test } from 'vitest'
import { readBareItem, readKey, serializeBareItem, type BareItem } from '../../src/http-signature/structured-field.ts'

const read = (text: string): { readonly item: BareItem | undefined; readonly rest: string } => {
  const cursor = { text, at: 0 }
  const item = readBareItem(cursor)
  return { item, rest: text.slice(cursor.at) }
}

describe('a value of RFC 8941 §3.3', () => {
  test.each<[string, BareItem]>([
    ['0', { kind: 'integer', value: 0 }],
    ['-42', { kind: 'integer', value: -42 }],
    ['999999999999999', { kind: 'integer', value: 999_999_999_999_999 }],
    ['1.5', { kind: 'decimal', value: '1.5' }],
    ['-0.125', { kind: 'decimal', value: '-0.125' }],
    ['999999999999.999', { kind: 'decimal', value: '999999999999.999' }],
    ['"a \\" and a \\\\"', { kind: 'string', value: 'a " and a \\' }],
    ['" ~"', { kind: 'string', value: ' ~' }],
    ['?1', { kind: 'boolean', value: true }],
    ['?0', { kind: 'boolean', value: false }],
    [':AQI=:', { kind: 'bytes', value: Uint8Array.of(1, 2), text: 'AQI=' }],
    ["*a/b:c!#$%&'*+-.^_`|~", { kind: 'token', value: "*a/b:c!#$%&'*+-.^_`|~" }],
    ['Zz9', { kind: 'token', value: 'Zz9' }],
  ])('%s is read whole and written the same', (text, item) => {
    expect(read(text)).toEqual({ item, rest: '' })
    expect(serializeBareItem(item)).toBe(text)
  })

  test('nothing below it is nothing', () => {
    const { item } = read('-0')
    expect(Object.is(item?.value, 0)).toBe(true)
  })

  test.each([
    ['more than 15 digits', '1000000000000000'],
    ['a leading zero', '01'],
    ['a sign alone', '-'],
    ['a decimal without a fraction', '1.'],
    ['a decimal of four places', '1.0000'],
    ['a decimal of 13 digits', '1000000000000.0'],
    ['a string without an end', '"abc'],
    ['a string with another escape', '"a\\n"'],
    ['a string with a control character', '"\u001f"'],
    ['a string with a delete', '"\u007f"'],
    ['a string beyond ASCII', '"\u0101"'],
    ['a boolean of another digit', '?2'],
    ['a boolean of none', '?'],
    ['bytes without an end', ':AQI='],
    ['bytes in a second spelling', ':AQJ=:'],
    ['bytes without padding', ':AQI:'],
    ['a letter beyond ASCII', '\u0161'],
    ['a date', '@1'],
    ['nothing', ''],
  ])('%s is none', (_, text) => {
    expect(read(text).item).toBeUndefined()
  })

  test('what comes behind it is left', () => {
    for (const [text, rest] of [
      ['1;a', ';a'],
      ['"x", y', ', y'],
      ['?1)', ')'],
      [':AQI=: ', ' '],
      ['tok en', ' en'],
    ] as const)
      expect(read(text).rest, text).toBe(rest)
  })
})

test.each([
  ['created', 'created', ''],
  ['*a_b-c.d*1=2', '*a_b-c.d*1', '=2'],
  ['Created', undefined, 'Created'],
  ['1a', undefined, '1a'],
  ['_a', undefined, '_a'],
  ['', undefined, ''],
])('the name in %j is %s', (text, name, rest) => {
  const cursor = { text, at: 0 }
  expect(readKey(cursor)).toBe(name)
  expect(text.slice(cursor.at)).toBe(rest)
})
