import { describe, expect, test } from 'vitest'
import { spanParts } from './span.ts'

describe('a span of seconds, as a person reads it', () => {
  test.each([
    [0, ['second', 0]],
    [0.4, ['second', 0]],
    [40, ['second', 40]],
    [60, ['minute', 1]],
    [3_540, ['minute', 59]],
    [3_600, ['minute', 60]],
    [7_200, ['hour', 2]],
    [86_400, ['hour', 24]],
    [2 * 86_400, ['day', 2]],
    [31 * 86_400, ['day', 31]],
  ] as const)('%d s', (seconds, [unit, value]) => {
    expect(spanParts(seconds)).toEqual({ unit, value })
  })
})
