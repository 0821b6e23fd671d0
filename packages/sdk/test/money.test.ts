import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atomicOf, usdOf } from '../src/money.ts'

const bounties = fc.bigInt(10_000n, 10_000_000_000n)
const asNumber = (atomic: bigint): number =>
  Number(`${String(atomic / 1_000_000n)}.${String(atomic % 1_000_000n).padStart(6, '0')}`)

test('every bounty the service admits becomes the same atomic units again', () => {
  fc.assert(
    fc.property(bounties, (atomic) => {
      expect(atomicOf(asNumber(atomic), 6)).toBe(atomic)
      expect(atomicOf(asNumber(atomic), 18)).toBe(atomic * 10n ** 12n)
    }),
  )
})

test.each([
  [0, 6, 0n, 0],
  [0.000001, 6, 1n, 0.000001],
  [100, 6, 100_000_000n, 100],
  [1.5, 0, 1n, 1],
  [1.239999, 2, 123n, 1.23],
  [0.01, 2, 1n, 0.01],
  [0.009, 2, 0n, 0],
  [12.000001, 18, 12_000_001_000_000_000_000n, 12.000001],
])('%s dollars of a token with %i decimals are %s units, and those are %s dollars', (usd, decimals, atomic, told) => {
  expect(atomicOf(usd, decimals)).toBe(atomic)
  expect(usdOf(atomic, decimals)).toBe(told)
})
