import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Balances } from './balances.ts'
import { faultsOfBalances, splitBounty } from './chain-proof.ts'

const holdings = (usd: Partial<Balances['usd']> = {}, wei: Partial<Balances['wei']> = {}): Balances => ({
  usd: { payer: 0n, worker: 0n, treasury: 0n, operator: 0n, ...usd },
  wei: { payer: 0n, worker: 0n, ...wei },
})

test('payout and fee are the bounty, and the fee is 13 % rounded down', () => {
  fc.assert(
    fc.property(fc.bigInt(10_000n, 100_000_000n), (bounty) => {
      const { payout, fee } = splitBounty(bounty)
      expect(payout + fee).toBe(bounty)
      expect(fee * 10_000n <= bounty * 1_300n && (fee + 1n) * 10_000n > bounty * 1_300n).toBe(true)
    }),
  )
})

test('the exact split has no fault, whatever everybody held before', () => {
  fc.assert(
    fc.property(
      fc.bigInt(10_000n, 100_000_000n),
      fc.bigInt(0n, 10n ** 12n),
      fc.bigInt(0n, 10n ** 9n),
      (bounty, held, collected) => {
        const { payout, fee } = splitBounty(bounty)
        const before = holdings({ payer: held + bounty, worker: held, treasury: held, operator: collected })
        const after = holdings({ payer: held, worker: held + payout, treasury: held + fee + collected })
        expect(faultsOfBalances(before, after, bounty)).toEqual([])
      },
    ),
  )
})

test.each([
  ['the worker got one unit less', { worker: 869_999n }, {}],
  ['the treasury got one unit more', { treasury: 130_001n }, {}],
  ['the fee stayed with the operator', { treasury: 0n, operator: 130_000n }, {}],
  ['the payer paid twice', { payer: 0n }, {}],
  ['the worker was given gas', {}, { worker: 1n }],
  ['the payer was given gas', {}, { payer: 1n }],
])('it is told when %s', (_, usd, wei) => {
  const before = holdings({ payer: 2_000_000n })
  const after = holdings({ payer: 1_000_000n, worker: 870_000n, treasury: 130_000n, ...usd }, wei)
  expect(faultsOfBalances(before, after, 1_000_000n).length).toBeGreaterThan(0)
})
