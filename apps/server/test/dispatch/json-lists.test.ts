import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { isNoJson, isStorable, numberSources, readJsonObject, splitJsonArray } from '../../src/dispatch/json-text.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const split = (text: string, most = 3): unknown => splitJsonArray(bytes(text), most)
const refusal = (read: () => unknown): unknown => {
  try {
    read()
    return null
  } catch (error) {
    return error instanceof MarketError ? [error.code, error.message, error.details] : error
  }
}

describe('the elements of a list, as they were sent', () => {
  test.each([
    ['[]', []],
    [' [ ] ', []],
    ['[{"a":1}]', ['{"a":1}']],
    ['[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
    [' \n[ {"a":1.50} , {"b":[2,3]} ]\t', [' {"a":1.50} ', ' {"b":[2,3]} ']],
    ['[[1,2],[3]]', ['[1,2]', '[3]']],
    ['[{"a":{"b":[1,{"c":2}],"d":3}},4]', ['{"a":{"b":[1,{"c":2}],"d":3}}', '4']],
    ['["a,b","c]d"]', ['"a,b"', '"c]d"']],
    ['["a\\",b",1]', ['"a\\",b"', '1']],
    ['["{","["]', ['"{"', '"["']],
    ['["a"]', ['"a"']],
    ['[1,]', ['1', '']],
    ['[,]', ['', '']],
    ['[1,2,3]', ['1', '2', '3']],
  ])('%s', (text, elements) => {
    expect(split(text)).toEqual(elements)
  })

  test.each(['{"a":1}', '1]', '[1', '"[]"', '', '  '])('%s is no list', (text) => {
    expect(split(text)).toBe(null)
  })

  test('no more than so many', () => {
    const tooLong = ['MALFORMED_BODY', 'The body is too long a list.', { max_items: 3 }]
    expect(refusal(() => split('[1,2,3,4]'))).toEqual(tooLong)
    expect(refusal(() => split('[1,2,3,4,5'.concat(',6]')))).toEqual(tooLong)
    expect(refusal(() => split('[[1,2,3,4],"5,6,7,8"]'))).toBe(null)
  })

  test('what is no UTF-8 is refused', () => {
    expect(refusal(() => splitJsonArray(Uint8Array.of(91, 0xff, 93), 3))).toEqual([
      'MALFORMED_BODY',
      'The body is not UTF-8.',
      {},
    ])
  })
})

describe('numbers as they were sent', () => {
  const fields = new Set(['p', 'q', ''])
  test.each([
    ['{"p":1.50}', [['p', '1.50']]],
    [
      '{"p":-0.5e+10,"r":1,"q":2E-3}',
      [
        ['p', '-0.5e+10'],
        ['q', '2E-3'],
      ],
    ],
    [
      '{"a":{"p":1},"q":{"q":2.0}}',
      [
        ['p', '1'],
        ['q', '2.0'],
      ],
    ],
    ['{"p":[1,2]}', []],
    ['[1,{"p":9.0}]', [['p', '9.0']]],
    ['[1,2]', []],
    ['7', []],
    ['{"p":"1","q":true}', []],
    ['{"\\u0070":3.0}', [['p', '3.0']]],
    ['{"a\\"p":4,"p":5}', [['p', '5']]],
    ['{"p" \t\n:\r 6.10 }', [['p', '6.10']]],
    [
      '{"p":0,"q":9}',
      [
        ['p', '0'],
        ['q', '9'],
      ],
    ],

    [
      '{"p":1/2}',
      [
        ['p', '1'],
        ['p', '2'],
      ],
    ],
    [
      '{"p":1,2}',
      [
        ['p', '1'],
        ['p', '2'],
      ],
    ],
    [
      '{"p":1*2}',
      [
        ['p', '1'],
        ['p', '2'],
      ],
    ],
  ])('%s', (text, sources) => {
    expect(numberSources(bytes(text), fields)).toEqual(sources)
  })
})

describe('what no two readers may read differently', () => {
  const refused = (text: string): unknown => refusal(() => readJsonObject(bytes(text), new Set()))
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"b":{"c":1,"d":{},"c":2}}', 'c'],
    ['{"b":[{"c":1},{"d":1,"d":1}]}', 'd'],
    ['{"b" :1,"b"\n:2}', 'b'],
    [`{"${'k'.repeat(101)}":1,"${'k'.repeat(101)}":2}`, 'k'.repeat(100)],
  ])('%s repeats a key', (text, field) => {
    expect(refused(text)).toEqual(['MALFORMED_BODY', 'The body repeats a key.', { field }])
  })

  test.each(['{"a":{"a":1}}', '{"a":["a","a"]}', '{"a":"a","b":"a"}', '{"a":[{"b":1},{"b":2}]}', '{"a":"\\"a\\":"}'])(
    '%s repeats none',
    (text) => {
      expect(refused(text)).toBe(null)
    },
  )

  test.each([
    ['', 'The body is not JSON.'],
    ['{', 'The body is not JSON.'],
    ['{"a', 'The body is not JSON.'],
    ['{"a\\', 'The body is not JSON.'],
    ['{"\\x":1}', 'The body is not JSON.'],
    ['{"a":1}}', 'The body is not JSON.'],
    ['[]', 'The body is not a JSON object.'],
    ['null', 'The body is not a JSON object.'],
    ['1', 'The body is not a JSON object.'],
    ['"a"', 'The body is not a JSON object.'],
  ])('%s is refused: %s', (text, message) => {
    expect(refused(text)).toEqual(['MALFORMED_BODY', message, {}])
  })

  test('32 levels are read, and 33 are not', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(refused(nested(32))).toBe(null)
    expect(refused(nested(33))).toEqual(['MALFORMED_BODY', 'The body is nested too deeply.', { max_depth: 32 }])
    expect(refused(`{"a":[${'{},'.repeat(40)}{}]}`)).toBe(null)
  })
})

describe('what is no JSON at all', () => {
  test.each([
    ['not JSON', bytes('{'), true],
    ['not UTF-8', Uint8Array.of(0xff), true],
    ['a list', bytes('[]'), false],
    ['a key twice', bytes('{"a":1,"a":1}'), false],
  ])('%s', (_what, body, is) => {
    const thrown: unknown[] = []
    try {
      readJsonObject(body, new Set())
    } catch (error) {
      thrown.push(error)
    }
    expect(thrown.map(isNoJson)).toEqual([is])
  })
  test('is true of refusals alone', () => {
    expect(isNoJson(new Error('The body is not JSON.'))).toBe(false)
  })
})

test.each([
  ['plain', true],
  ['😀', true],
  ['a\0b', false],
  ['\ud800', false],
  ['', true],
])('%j is kept as it is: %s', (text, is) => {
  expect(isStorable(text)).toBe(is)
})
