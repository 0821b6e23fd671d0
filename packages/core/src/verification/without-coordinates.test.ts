import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCoordinates } from './without-coordinates.ts'

test.each([
  ['It was taken at 48.20821, 16.37381.', 'It was taken at [number], [number].'],
  ['at 48,20821 / 16,37381', 'at [number] / [number]'],
  ['at -33.8688 151.2093', 'at -[number] [number]'],
  ['at 48.208 210', 'at [number]'],
  ['at 48°12\'29.6"N 16°22\'25.7"E', 'at [number] [number]'],
  ['48 degrees 12 minutes', '[number] minutes'],
  ['at 33U 601234 5340123', 'at 33U [number] [number]'],
  ['at 8FWR6956+QCF', 'at [number]'],
  ['at ٤٨٫٢٠٨٢١', 'at [number]'],
  ['lat=48208210', 'lat=[number]'],
])('%s is shown as %s', (said, shown) => {
  expect(withoutCoordinates(said)).toBe(shown)
})

test.each([
  'It costs 12.99 or 14,50.',
  'Open from 9 to 18, closed on 24.12.',
  'It is 21 °C outside.',
  '21.5°C',
  'House 12345, 3 of 4 pictures.',
  'C++ and 2+2',
  'It shows a dog.',
])('%s is told as it is', (said) => {
  expect(withoutCoordinates(said)).toBe(said)
})

test('no position of five decimals or more comes through, however it is set in text', () => {
  const degrees = fc.double({ min: 0.00001, max: 180, noNaN: true }).map((value) => value.toFixed(5))
  fc.assert(
    fc.property(
      fc.string(),
      degrees,
      degrees,
      fc.constantFrom(', ', ' ', '/', ';', 'N ', '|'),
      (before, lat, lng, between) => {
        const shown = withoutCoordinates(`${before}${lat}${between}${lng}`)
        for (const one of [lat, lng]) expect(shown).not.toContain(one)
      },
    ),
  )
})
