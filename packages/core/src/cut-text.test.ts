import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
)

test('what is cut can always be stored, and is no longer than it may be', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 45 }), (text, most) => {
      const cut = cutText(text, most)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut).not.toContain('\u0000')
      expect(cut.length).toBeLessThanOrEqual(most)
    }),
    { numRuns: 2_000 },
  )
})

test('of text that fits and can be stored nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(cutText(text, Math.max(1, text.length))).toBe(text)
    }),
  )
})

test('a sign of two units is kept whole or left out', () => {
  expect([
    cutText('ab😀', 3),
    cutText('ab😀', 4),
    cutText('😀b', 1),
    cutText('a\ud83d', 9),
    cutText('a\u0000', 9),
  ]).toEqual(['ab', 'ab😀', '', 'a\uFFFD', 'a\uFFFD'])
})

test.each([
  ['a\ud83d', 2, 'a\uFFFD'],
  ['a\u{10000}b', 2, 'a'],
  ['a\u{10FC00}b', 2, 'a'],
  ['a\uE000b', 2, 'a\uE000'],
])('a half that came alone is no sign that is cut: %j at %d', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut)
})
