import { describe, expect, it } from 'vitest'
import { metresBetween, readFix } from './fix.ts'

describe('a position in evidence', () => {
  it('keeps what the device said, and no more', () => {
    expect(readFix({ lat: 40.4, lng: -3.7, accuracy_meters: 12, timestamp: '2026-01-01T10:00:00Z' })).toEqual({
      lat: 40.4,
      lng: -3.7,
      accuracyM: 12,
      at: '2026-01-01T10:00:00Z',
    })
    expect(readFix({ lat: 0, lng: 0 })).toEqual({ lat: 0, lng: 0 })
  })
  it.each([null, 'text', { lat: '1', lng: 2 }, [], { lng: 2 }])('is not made of %j', (value) => {
    expect(readFix(value)).toBeUndefined()
  })
  it('is as far from the place as the surface of the earth says', () => {
    expect(metresBetween({ lat: 0, lng: 0 }, { lat: 0, lng: 1 })).toBeCloseTo(111_195, -1)
    expect(metresBetween({ lat: 40, lng: 3 }, { lat: 40, lng: 3 })).toBe(0)
  })
})
