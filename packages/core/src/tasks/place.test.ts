import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metresBetween, publicArea } from './place.ts'

const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
  radiusM: fc.integer({ min: 10, max: 50_000 }),
})
test('the area holds the place, wherever on earth', () => {
  fc.assert(
    fc.property(place, (one) => {
      const area = publicArea(one)
      expect(Math.abs(area.lat)).toBeLessThanOrEqual(90)
      expect(Math.abs(area.lng)).toBeLessThanOrEqual(180)
      expect(metresBetween(one, area)).toBeLessThanOrEqual(area.radiusM)
    }),
    { numRuns: 20_000 },
  )
})

test('two places of one cell have one area: it tells a quarter and no address', () => {
  const a = publicArea({ lat: 48.208_21, lng: 16.373_81, radiusM: 500 })
  const b = publicArea({ lat: 48.209_99, lng: 16.372_01, radiusM: 500 })
  expect(a).toEqual(b)
  expect(a.radiusM).toBeGreaterThanOrEqual(1_000)
})
