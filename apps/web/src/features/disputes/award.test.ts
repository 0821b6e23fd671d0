import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { awardOf, readShare } from './award.ts'

describe('What a decision gives to each side', () => {
  test.each([
    ['release', 10, { backUsd: 0, grossUsd: 10 }],
    ['refund', 10, { backUsd: 10, grossUsd: 0 }],
    ['split', 10, { backUsd: 3, grossUsd: 7 }],
    ['split', 0.000_003, { backUsd: 0, grossUsd: 0.000_003 }],
    ['split', 1.09, { backUsd: 0.327, grossUsd: 0.763 }],
  ] as const)('%s of %d dollars, 30 percent of them to the payer where they are split', (verdict, bounty, award) => {
    expect(awardOf(bounty, verdict, 30)).toEqual(award)
  })

  test('adds up to the bounty, and the payer never gets more than the share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), fc.integer({ min: 1, max: 99 }), (atomic, pct) => {
        const { backUsd, grossUsd } = awardOf(atomic / 1e6, 'split', pct)
        const [back, gross] = [Math.round(backUsd * 1e6), Math.round(grossUsd * 1e6)]
        expect(back + gross).toBe(atomic)
        expect(BigInt(back) * 100n <= BigInt(atomic) * BigInt(pct)).toBe(true)
      }),
    )
  })
})

test.each([
  ['1', 1],
  ['99', 99],
  [' 40 ', 40],
  ['0', undefined],
  ['100', undefined],
  ['', undefined],
  ['4.5', undefined],
  ['-3', undefined],
  ['1e1', undefined],
] as const)('a share typed as "%s" is read as %s', (typed, share) => {
  expect(readShare(typed)).toBe(share)
})
