import { describe, expect, test } from 'vitest'
import { createFormat } from '../../../lib/format.ts'
import { agoText, spanParts } from './span.ts'

describe('a span of seconds, as a person reads it', () => {
  test.each([
    [0, ['second', 0]],
    [0.4, ['second', 0]],
    [59.9, ['second', 59]],
    [60, ['minute', 1]],
    [3_599, ['minute', 59]],
    [3_600, ['hour', 1]],
    [86_399, ['hour', 23]],
    [86_400, ['day', 1]],
    [31 * 86_400, ['day', 31]],
  ] as const)('%d s', (seconds, [unit, value]) => {
    expect(spanParts(seconds)).toEqual({ unit, value })
  })
})

test('what the service has just counted is not ahead of the clock of the reader', () => {
  const format = createFormat('en-GB')
  expect(agoText(format, '2026-01-01T00:00:20.000Z', Date.parse('2026-01-01T00:00:00.000Z'))).toBe('now')
  expect(agoText(format, '2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:02:00.000Z'))).toBe('2 minutes ago')
})
