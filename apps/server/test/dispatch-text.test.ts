import { addressKey } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { readJsonObject } from '../src/dispatch/json-text.ts'

const read = (text: string) => readJsonObject(new TextEncoder().encode(text), new Set())

describe('what was signed is what is stored', () => {
  test.each(['{"title":"a\\u0000b"}', '{"a":{"b":["\\ud800"]}}', '{"\\u0000":1}', '{"a":"\\udc00\\ud800"}'])(
    '%s is refused',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'MALFORMED_BODY' }))
    },
  )
  test.each([
    ['{"a":"\\ud83d\\ude00"}', '😀'],
    ['{"a":"\\\\u0000"}', '\\u0000'],
    ['{"a":"é"}', 'é'],
  ])('%s is read as it is', (text, value) => {
    expect(read(text).value['a']).toBe(value)
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the address %s is counted as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})
