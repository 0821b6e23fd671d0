import { expect, test } from 'vitest'
import { positionOf, qualityOf, type Fix } from './position-quality.ts'

const series = (count: number, everyMs: number, accuracy: number): Fix[] =>
  Array.from({ length: count }, (_, n) => ({
    lat: 40,
    lng: -3,
    accuracy_meters: accuracy + n,
    timestamp: new Date(n * everyMs).toISOString(),
  }))

test.each([
  ['no fix yet', series(0, 0, 5), 500, 'none'],
  ['too few', series(4, 5_000, 5), 500, 'collecting'],
  ['too quickly', series(8, 1_000, 5), 500, 'collecting'],
  ['five over ten seconds', series(5, 2_500, 5), 500, 'good'],
  ['less accurate than the radius', series(5, 2_500, 600), 500, 'rough'],
  ['no radius: a hundred metres', series(5, 2_500, 150), null, 'rough'],
] as const)('%s', (_, fixes, radius, word) => {
  expect(qualityOf(fixes, radius).word).toBe(word)
})

test('the position is the most accurate fix with at most thirty samples', () => {
  const fixes = series(40, 1_000, 5)
  expect(positionOf(fixes)?.samples).toEqual(fixes.slice(-30))
  expect(positionOf(fixes)?.accuracy_meters).toBe(15)
  expect(positionOf([])).toBeUndefined()
})
