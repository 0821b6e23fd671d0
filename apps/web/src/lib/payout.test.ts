import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitOf } from './payout.ts'

test.each([
  [10, 8.7, 1.3],
  [0.01, 0.0087, 0.0013],
  [0.010001, 0.008701, 0.0013],
  [100, 87, 13],
])('of a bounty of %d the worker gets %d and the fee is %d', (bounty, payoutUsd, feeUsd) => {
  expect(splitOf(bounty, 1_300)).toEqual({ payoutUsd, feeUsd })
})

test('payout and fee add up to the bounty to the last atomic unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 10_000_000_000 }), (atomic) => {
      const { payoutUsd, feeUsd } = splitOf(atomic / 1_000_000, 1_300)
      expect(Math.round(payoutUsd * 1_000_000) + Math.round(feeUsd * 1_000_000)).toBe(atomic)
    }),
  )
})
