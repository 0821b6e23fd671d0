import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metresBetween, publicArea, radiusOf } from './place.ts'

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

test.each([
  ['simple_action', 1_000],
  ['physical_presence', 500],
] as const)('a place without a radius has that of its category: %s %i m', (category, radiusM) => {
  expect(radiusOf(category)).toBe(radiusM)
})

test.each([
  ['on the equator', { lat: 0.011, lng: 0.011 }, { lat: 0.01, lng: 0.02, radiusM: 1_585 }],
  ['in a town', { lat: 48.208_21, lng: 16.373_81 }, { lat: 48.21, lng: 16.3868, radiusM: 1_587 }],
  ['in the south', { lat: -33.868, lng: 151.21 }, { lat: -33.87, lng: 151.2024, radiusM: 1_586 }],
  ['at a pole', { lat: 90, lng: 0 }, { lat: 89.99, lng: 0, radiusM: 1_938 }],
])('%s the area is a cell of about two kilometres', (_where, point, area) => {
  expect(publicArea({ ...point, radiusM: 500 })).toEqual(area)
  expect(publicArea({ ...point, radiusM: 7_000 }).radiusM).toBe(7_000)
})

test.each([
  ['a degree north', { lat: 0, lng: 0 }, { lat: 1, lng: 0 }, 111_195],
  ['a degree east on the equator', { lat: 0, lng: 0 }, { lat: 0, lng: 1 }, 111_195],
  ['a degree east where circles are half as long', { lat: 60, lng: 10 }, { lat: 60, lng: 11 }, 55_597],
  ['to the other side', { lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_015_087],
])('it is %s %#', (_way, a, b, metres) => {
  expect(Math.round(metresBetween(a, b))).toBe(metres)
})
