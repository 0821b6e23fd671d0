import { describe, expect, test } from 'vitest'
import { totalsOf, type Movement } from '../escrow/movement.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { capture, dispute, heldTask, moved, placeOn, settlementOf } from '../testing/scripted-money.ts'
import { awardLeft, within } from './award-left.ts'

const lock = moved('authorized', 10_000_000n, { logIndex: 1 })
const logAt = (kind: Movement['kind'], atomic: bigint, logIndex: number) => moved(kind, atomic, { logIndex })

function left(change: Partial<Settlement>, movements: readonly Movement[], verdict: object | null = dispute()) {
  const order = { ...capture(6_000_000n), after: { blockNumber: 7n, logIndex: 2 } }
  const settlement = settlementOf('award', order, change)
  const { place } = placeOn(heldTask(), { lockDisputeOf: verdict })
  return awardLeft(place, { settlement, movements, totals: totalsOf(movements) })
}

describe('what is left for the worker, where others moved part of a payment', () => {
  test.each<[string, readonly Movement[], bigint]>([
    [
      'all that both signed, of what was paid out before they did',
      [lock, logAt('captured', 1_000_000n, 2)],
      6_000_000n,
    ],
    ['less what was paid out since', [lock, logAt('captured', 1_000_000n, 3)], 5_000_000n],
    ['no more than there is', [lock, logAt('voided', 5_000_000n, 3)], 5_000_000n],
    ['nothing, where more was paid out since', [lock, logAt('captured', 7_000_000n, 3)], 0n],
  ])('of an agreement: %s', async (_what, movements, atomic) => {
    expect(await left({ offerId: 'offer' }, movements)).toBe(atomic)
  })
  // Forty of a hundred go back.
  test.each<[string, readonly Movement[], bigint]>([
    ['its share of all that was locked', [lock], 6_000_000n],
    ['less what was paid out', [lock, logAt('captured', 1_000_000n, 2)], 5_000_000n],
    ['of all that was locked, also of what went back', [lock, logAt('voided', 1_000_000n, 2)], 6_000_000n],
    ['no more than there is', [lock, logAt('reclaimed', 5_000_000n, 2)], 5_000_000n],
  ])('of a verdict: %s', async (_what, movements, atomic) => {
    expect(await left({ offerId: null }, movements)).toBe(atomic)
  })
  test('nothing without a verdict', async () => {
    expect(await left({ offerId: null }, [lock], null)).toBe(0n)
    expect(await left({ offerId: null }, [lock], dispute({ resolution: null }))).toBe(0n)
    expect(await left({ offerId: null, submissionId: null }, [lock])).toBe(0n)
  })
  test.each([
    [-1n, 5n, 0n],
    [0n, 5n, 0n],
    [4n, 5n, 4n],
    [5n, 5n, 5n],
    [6n, 5n, 5n],
  ])('%s of at most %s is %s', (atomic, most, kept) => {
    expect(within(atomic, most)).toBe(kept)
  })
})
