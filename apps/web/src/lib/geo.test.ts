import { describe, expect, test } from 'vitest'
import { metresBetween, readPoint, ringAround, writePoint } from './geo.ts'

const mexico = { lat: 19.4326, lng: -99.1332 }

describe('places', () => {
  test('the way from Mexico City to Madrid is 9,060 km, both ways', () => {
    const madrid = { lat: 40.4168, lng: -3.7038 }
    expect(metresBetween(mexico, madrid) / 1_000).toBeCloseTo(9_062, -1)
    expect(metresBetween(madrid, mexico)).toBe(metresBetween(mexico, madrid))
    expect(metresBetween(mexico, mexico)).toBe(0)
  })

  test.each([[undefined], [''], ['19.4'], ['91,0'], ['0,181'], ['a,b'], ['1,2,3'], ['1e1,2']])(
    '%s names no point',
    (text) => {
      expect(readPoint(text)).toBeUndefined()
    },
  )

  test('a point in an address is read back as it was written, to three digits', () => {
    expect(readPoint(writePoint(mexico))).toEqual({ lat: 19.433, lng: -99.133 })
  })

  test('every corner of a ring is as far from its middle as its radius says', () => {
    for (const [lng, lat] of ringAround(mexico, 750)) expect(metresBetween(mexico, { lat, lng })).toBeCloseTo(750, 3)
  })
})
