import fc from 'fast-check'
import { expect, test } from 'vitest'
import { captureJournal, chargeJournal, isBalanced, lockJournal, sweepJournal, voidJournal } from './journal.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }

test('debits equal credits in every journal, whatever the amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (atomic) => {
      const amount = { atomic, asset }
      return [lockJournal('a', 'h', amount), captureJournal('b', 'h', amount), voidJournal('a', 'h', amount), chargeJournal('a', 'wallet:b', amount), sweepJournal(atomic)].every(isBalanced)
    }),
  )
})

test('a capture empties exactly what the lock filled', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), (atomic) => {
      const amount = { atomic, asset }
      const escrow = [...lockJournal('a', 'h', amount), ...captureJournal('b', 'h', amount)].filter(({ account }) => account === 'escrow:h')
      expect(escrow.reduce((sum, one) => sum + one.atomic, 0n)).toBe(0n)
    }),
  )
})
