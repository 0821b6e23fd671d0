import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsd, parseUsd, splitFee, type Asset } from './amount.ts'

const usdc: Asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const anyAtomic = fc.bigInt({ min: 0n, max: 10n ** 15n })

describe('amounts are exact', () => {
  test('writing and reading an amount changes nothing', () => {
    fc.assert(fc.property(anyAtomic, (atomic) => parseUsd(formatUsd({ atomic, asset: usdc }), usdc).atomic === atomic))
  })

  test.each([
    ['0.01', 10_000n],
    ['1', 1_000_000n],
    ['12.5', 12_500_000n],
    ['0.000001', 1n],
    ['100', 100_000_000n],
  ])('%s USD is %s atomic units', (text, atomic) => {
    expect(parseUsd(text, usdc).atomic).toBe(atomic)
  })

  test.each(['0.0000001', '1e2', '-1', '01', '1.', '.5', '1,5', '', ' 1', 'NaN', '0x10'])('%s is refused', (text) => {
    expect(() => parseUsd(text, usdc)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})

describe('fee 13 %, rounded down once; the rest is the payout (decision 0009)', () => {
  test('fee and payout always add up to the gross, and the fee never exceeds 13 %', () => {
    fc.assert(
      fc.property(anyAtomic, (atomic) => {
        const { fee, payout } = splitFee({ atomic, asset: usdc })
        return (
          fee.atomic + payout.atomic === atomic &&
          fee.atomic * 10_000n <= atomic * 1_300n &&
          (fee.atomic + 1n) * 10_000n > atomic * 1_300n
        )
      }),
    )
  })

  test.each([
    [10_000_000n, 1_300_000n, 8_700_000n],
    [10_000n, 1_300n, 8_700n],
    [1n, 0n, 1n],
    [7n, 0n, 7n],
    [8n, 1n, 7n],
  ])('of %s the fee is %s and the payout %s', (gross, fee, payout) => {
    const split = splitFee({ atomic: gross, asset: usdc })
    expect([split.fee.atomic, split.payout.atomic]).toEqual([fee, payout])
  })
})
