import { expect, test } from 'vitest'
import { aheadOf, signedAhead } from './clock.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

test.each([
  ['Sat, 21 Nov 2026 10:00:00 GMT', 0],
  // What a header can say and a network takes is no difference.
  ['Sat, 21 Nov 2026 09:59:30 GMT', 0],
  ['Sat, 21 Nov 2026 13:00:00 GMT', 3 * 3_600_000],
  ['Sat, 21 Nov 2026 08:00:00 GMT', -2 * 3_600_000],
  [null, 0],
  ['soon', 0],
] as const)('of a service that says %j, the clock is so far ahead', (date, ahead) => {
  expect(aheadOf(date, now)).toBe(ahead)
})

test('what is signed follows the service by a day at the most, either way', () => {
  const day = 86_400_000
  expect([0, 7_200_000, -7_200_000, day, -day, day + 1, -day - 1].map(signedAhead)).toEqual([
    0,
    7_200_000,
    -7_200_000,
    day,
    -day,
    0,
    0,
  ])
})
