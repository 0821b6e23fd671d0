import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atomicOf } from '../src/money.ts'

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
