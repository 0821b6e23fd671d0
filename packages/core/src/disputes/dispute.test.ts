import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aTask } from '../testing/factories.ts'
import { divideBounty, sharesOf, sideOf } from './dispute.ts'

const { asset } = aTask().bounty

test('a resolution divides the bounty without remainder, whatever the share', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10_000n, max: 100_000_000n }), fc.integer({ min: 1, max: 99 }), (atomic, splitPct) => {
      const { award, remainder } = divideBounty({ atomic, asset }, { verdict: 'split', splitPct })
      expect(award.atomic + remainder.atomic).toBe(atomic)
      expect(award.atomic > 0n && remainder.atomic > 0n).toBe(true)
    }),
  )
})

test.each([
  ['release', null, 10_000_000n, 0n],
  ['refund', null, 0n, 10_000_000n],
  ['split', 30, 7_000_000n, 3_000_000n],
] as const)('%s %s awards %s and returns %s', (verdict, splitPct, award, remainder) => {
  const shares = divideBounty({ atomic: 10_000_000n, asset }, { verdict, splitPct })
  expect([shares.award.atomic, shares.remainder.atomic]).toEqual([award, remainder])
})

test.each([
  ['of what two agreed on, as it was paid', 'resolved', 500_000n, [500_000n, 570_000n]],
  ['of a verdict that is not carried out, by its percent', 'resolving', null, [502_900n, 567_100n]],
  ['of a verdict on its way, whatever was paid before', 'resolving', 100_000n, [502_900n, 567_100n]],
  ['of a verdict that moved the bounty as a whole, by the verdict', 'resolved', null, [502_900n, 567_100n]],
] as const)('the sums %s', (_what, status, captured, expected) => {
  const resolution = { verdict: 'split', splitPct: 53, reason: '' } as const
  const shares = sharesOf({ status, resolution, captured, bounty: { atomic: 1_070_000n, asset } })
  expect([shares?.award.atomic, shares?.remainder.atomic]).toEqual(expected)
  expect(sharesOf({ status, resolution: null, captured, bounty: { atomic: 1_070_000n, asset } })).toBeNull()
})

test('a wallet is the publisher, the worker, or no party', () => {
  const parties = { publisherWallet: '0xa', workerWallet: '0xb' }
  expect(['0xa', '0xb', '0xc'].map((wallet) => sideOf(parties, wallet))).toEqual(['publisher', 'worker', null])
})

test('the share of a split counts for a split alone', () => {
  const bounty = { atomic: 100n, asset }
  expect(divideBounty(bounty, { verdict: 'release', splitPct: 30 }).award.atomic).toBe(100n)
  expect(divideBounty(bounty, { verdict: 'refund', splitPct: 30 }).remainder.atomic).toBe(100n)
})
