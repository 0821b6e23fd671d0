import { describe, expect, test } from 'vitest'
import { limitOf, microOf, nextPromise, signEveryMs } from './next-promise.ts'

const scans = { unit: 'scan', price_per_unit: '0.05', consumed_uusdc: 100_000, remaining_usd: 0.9 } as const
const minutes = { ...scans, unit: 'minute', price_per_unit: '0.6' } as const

describe("the buyer's next voucher promises", () => {
  test.each([
    ['what was accepted and one unit', scans, 0, undefined, 150_000n],
    ['the rest, where that is less than a unit', { ...scans, remaining_usd: 0.03 }, 0, undefined, 130_000n],
    ['nothing, where nothing is left', { ...scans, remaining_usd: 0 }, 0, undefined, undefined],
    ['no part of a unit up to the amount that was set', scans, 0, 149_999n, undefined],
    ['a unit that the amount just covers', scans, 0, 150_000n, 150_000n],
    ['of time what has passed', minutes, 10_000, undefined, 200_000n],
    ['of time one unit at most', minutes, 3_600_000, undefined, 700_000n],
    ['no time before some has passed', minutes, 0, undefined, undefined],
    ['no time of a clock that went back', minutes, -5_000, undefined, undefined],
    ['of time no more than was set', minutes, 60_000, 250_000n, 250_000n],
    ['nothing above what was set before', minutes, 60_000, 100_000n, undefined],
  ] as const)('%s', (_name, meter, seenForMs, most, expected) => {
    expect(nextPromise(meter, seenForMs, most)).toBe(expected)
  })
})

test('the most that may be promised is exact where a sum of dollars is not', () => {
  expect(0.7 + 0.1).toBeLessThan(0.8)
  expect(limitOf({ consumed_uusdc: 700_000, remaining_usd: 0.1 })).toBe(800_000n)
})

test('decimal texts are exact millionths', () => {
  expect(['1', '0.05', '0.000001', '12.3456789'].map(microOf)).toEqual([1_000_000n, 50_000n, 1n, 12_345_678n])
})

test('time is signed for several times a unit, and no faster than a second', () => {
  expect((['second', 'minute', 'hour'] as const).map(signEveryMs)).toEqual([1_000, 20_000, 60_000])
})
