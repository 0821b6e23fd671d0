import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { otherSide, statusAt, verdictOf } from './offer.ts'

const now = new Date('2026-11-25T12:00:00Z')

describe('an offer (decision 0167)', () => {
  test.each([
    ['open', 1, 'open'],
    ['open', 0, 'expired'],
    ['open', -1, 'expired'],
    ['accepted', -1, 'accepted'],
    ['settled', -1, 'settled'],
  ] as const)('that is %s with %i ms left is %s', (status, leftMs, is) => {
    expect(statusAt({ status, expiresAt: new Date(now.getTime() + leftMs) }, now)).toBe(is)
  })

  test('is answered by the other side', () => {
    expect([otherSide('publisher'), otherSide('worker')]).toEqual(['worker', 'publisher'])
  })

  test('reads as a verdict, and a split never as all or nothing', () => {
    expect(verdictOf({ toWorker: 5n, toPayer: 0n })).toEqual({ verdict: 'release', splitPct: null })
    expect(verdictOf({ toWorker: 0n, toPayer: 5n })).toEqual({ verdict: 'refund', splitPct: null })
    expect(verdictOf({ toWorker: 6n, toPayer: 4n })).toEqual({ verdict: 'split', splitPct: 40 })
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n), (toWorker, toPayer) => {
        const { verdict, splitPct } = verdictOf({ toWorker, toPayer })
        expect(verdict).toBe('split')
        expect(splitPct).toBeGreaterThanOrEqual(1)
        expect(splitPct).toBeLessThanOrEqual(99)
      }),
    )
  })
})
