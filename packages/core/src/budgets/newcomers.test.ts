import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dealtOut, isScarce, newcomerShares, passedWhen } from './newcomers.ts'

test.each([
  [
    { ofAddress: 60, inAll: 2_000 },
    { inAll: 1_500, ofNear: 187, ofWide: 375, few: 2 },
  ],
  [
    { ofAddress: 100, inAll: 10_000 },
    { inAll: 7_500, ofNear: 937, ofWide: 1_875, few: 3 },
  ],
  // A network is never less than one of its addresses.
  [
    { ofAddress: 60, inAll: 100 },
    { inAll: 75, ofNear: 60, ofWide: 60, few: 2 },
  ],
  [
    { ofAddress: 0, inAll: 100 },
    { inAll: 75, ofNear: 0, ofWide: 0, few: 0 },
  ],
  [{ ofAddress: 60, inAll: 39 }, null],
  [{ ofAddress: 60, inAll: 0 }, null],
])('of %o newcomers may use %o', (limits, shares) => {
  expect(newcomerShares(limits)).toEqual(shares)
})

test('where nobody can prove anything, newcomers share all of it', () => {
  expect(newcomerShares({ ofAddress: 100, inAll: 10_000 }, 0)).toMatchObject({ inAll: 10_000, ofNear: 1_250 })
})

test('a third is there at once, the rest comes evenly, and all of it by the end', () => {
  expect([0, 0.25, 0.5, 1].map((passed) => dealtOut(1_500, passed))).toEqual([500, 750, 1_000, 1_500])
})

test('what is needed is dealt out at the moment that is named, and not before', () => {
  const share = fc.integer({ min: 30, max: 100_000 })
  fc.assert(
    fc.property(share, fc.double({ min: 0.34, max: 1, noNaN: true }), (whole, part) => {
      const needed = Math.ceil(whole * part)
      const passed = passedWhen(whole, needed)
      expect(dealtOut(whole, passed + 1e-9)).toBe(needed)
      expect(dealtOut(whole, passed - 1 / whole)).toBeLessThan(needed)
    }),
  )
})

test('little is left once half of what is there is used', () => {
  expect([isScarce(249, 500), isScarce(250, 500), isScarce(0, 0)]).toEqual([false, true, true])
})
