import { expect, test } from 'vitest'
import { partAsked } from '../../src/transports/byte-range.ts'

const file = { bytes: 100, etag: '"a"' }

test.each<[range: string | undefined, part: ReturnType<typeof partAsked>]>([
  [undefined, 'whole'],
  ['bytes=0-1', { start: 0, end: 1 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes= 5-9 ', { start: 5, end: 9 }],
  ['BYTES=5-9', { start: 5, end: 9 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=-0', 'beyond'],
  ['bytes=100-', 'beyond'],
  [`bytes=${'9'.repeat(400)}-`, 'beyond'],
  // RFC 9110 §14.1.1 calls it invalid, and §14.2 lets it be ignored.
  ['bytes=9-5', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=', 'whole'],
  ['bytes=0-1,5-9', 'whole'],
  ['bytes=0x1-9', 'whole'],
  ['items=0-1', 'whole'],
])('%s of a hundred bytes', (range, part) => {
  expect(partAsked({ range }, file)).toEqual(part)
})

test('a part of another file is not sent, and an empty file has no part', () => {
  const range = 'bytes=0-1'
  expect(partAsked({ range, 'if-range': '"a"' }, file)).toEqual({ start: 0, end: 1 })
  expect(partAsked({ range, 'if-range': '"b"' }, file)).toBe('whole')
  expect(partAsked({ range, 'if-range': 'Sun, 29 Nov 2026 00:00:00 GMT' }, file)).toBe('whole')
  for (const asked of [range, 'bytes=-5']) expect(partAsked({ range: asked }, { bytes: 0, etag: '"a"' })).toBe('beyond')
})
