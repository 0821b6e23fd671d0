import { describe, expect, test } from 'vitest'
import { readJsonObject, isNoJson, numberSources } from '../../src/dispatch/json-text.ts'

describe('the text of a body', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const refused = (message: string, details: object = {}) =>
    expect.objectContaining({ code: 'MALFORMED_BODY', message, details }) as Error
  const read = (text: string, ...fields: string[]) => readJsonObject(bytes(text), new Set(fields))

  test.each([
    ['', 'The body is not JSON.'],
    ['{', 'The body is not JSON.'],
    ['{"a":1}x', 'The body is not JSON.'],
    ['{"\\x":1}', 'The body is not JSON.'],
    ['{"a', 'The body is not JSON.'],
    ['{"a\\', 'The body is not JSON.'],
    ['[]', 'The body is not a JSON object.'],
    ['null', 'The body is not a JSON object.'],
    ['1', 'The body is not a JSON object.'],
  ])('%s: %s', (text, message) => {
    expect(() => read(text)).toThrow(refused(message))
  })

  test('what is no UTF-8 is told so, and both are no JSON; a repeated key is another matter', () => {
    const of = (work: () => unknown): unknown => {
      try {
        return work()
      } catch (error) {
        return error
      }
    }
    const noText = of(() => readJsonObject(Uint8Array.of(0xff), new Set()))
    expect(noText).toMatchObject({ message: 'The body is not UTF-8.' })
    expect(
      [noText, of(() => read('{')), of(() => read('{"a":1,"a":2}')), new Error('The body is not JSON.')].map(isNoJson),
    ).toEqual([true, true, false, false])
  })

  test.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"a" :1, "a"\n:2}', '{"a":"x","a":{}}'])(
    '%s repeats a key',
    (text) => {
      expect(() => read(text)).toThrow(refused('The body repeats a key.', { field: 'a' }))
    },
  )

  test.each([
    '{"a":{"a":1},"b":{"a":"a"}}',
    '{"a":"a","b":["a","a"]}',
    '{"a":"\\"a\\":","b":"a"}',
    '{"a":[{"a":1},{"a":2}]}',
  ])('%s repeats none', (text) => {
    expect(read(text).value).toEqual(JSON.parse(text))
  })

  test('32 levels are read, and 33 are not', () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
    expect(read(nested(32)).value).toBeTypeOf('object')
    expect(() => read(nested(33))).toThrow(refused('The body is nested too deeply.', { max_depth: 32 }))
    expect(() => read(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`)).toThrow(
      refused('The body is nested too deeply.', { max_depth: 32 }),
    )
  })

  test('20,000 texts, keys, objects and arrays are read, and one more is not', () => {
    const list = (texts: number): string => `{"a":[${Array.from({ length: texts }, () => '""').join(',')}]}`
    expect(read(list(19_997)).value).toBeTypeOf('object')
    expect(() => read(list(19_998))).toThrow(refused('The body has too many parts.', { max_parts: 20_000 }))
    const objects = (count: number): string => `{"a":[${Array.from({ length: count }, () => '{}').join(',')}]}`
    expect(read(objects(19_997)).value).toBeTypeOf('object')
    expect(() => read(objects(19_998))).toThrow(refused('The body has too many parts.', { max_parts: 20_000 }))
  })

  test.each<[string, Record<string, string>]>([
    ['{"p":0.10}', { p: '0.10' }],
    ['{"p":-1.5E+3,"q":1}', { p: '-1.5E+3' }],
    ['{"p":1e-2 }', { p: '1e-2' }],
    ['{"q":{"p":1}}', {}],
    ['{"p":[1]}', {}],
    ['{"p":"1"}', {}],
    ['{"a":[1,2],"p":3}', { p: '3' }],
    ['{"a":{"b":1},"p":9}', { p: '9' }],
    ['{"a":"\\\\","p":7}', { p: '7' }],
    ['{"p":12345678901234567890}', { p: '12345678901234567890' }],
  ])('%s has the decimals %j', (text, sources) => {
    expect(read(text, 'p').sources).toEqual(sources)
  })

  test('decimals are looked for where the names lead', () => {
    const sources = (text: string): unknown =>
      readJsonObject(bytes(text), new Set(['p']), ['params', 'arguments']).sources
    expect(sources('{"params":{"arguments":{"p":1.50,"q":{"p":2}},"p":3},"p":4}')).toEqual({ p: '1.50' })
    expect(sources('{"other":{"arguments":{"p":1}},"params":{"arguments":[{"p":2}]}}')).toEqual({})
  })

  test('and wherever they are, where that is asked', () => {
    expect(numberSources(bytes('{"p":1.0,"a":[{"p":2.0},3],"q":4}'), new Set(['p']))).toEqual([
      ['p', '1.0'],
      ['p', '2.0'],
    ])
  })
})
