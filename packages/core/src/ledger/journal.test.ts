import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MovementKind } from '../escrow/movement.ts'
import { splitFee } from '../money/amount.ts'
import {
  channelAccount,
  channelEndedJournal,
  channelFundedJournal,
  chargeJournal,
  isBalanced,
  movementJournal,
  shareOf,
  sweepJournal,
} from './journal.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const payment = { payer: 'a', receiver: 'b', hash: 'h' }
const kinds: readonly MovementKind[] = ['authorized', 'charged', 'captured', 'voided', 'reclaimed', 'refunded']
const atomics = fc.bigInt({ min: 0n, max: 10n ** 15n })
const bps = fc.integer({ min: 0, max: 10_000 })

test('debits equal credits in every journal, whatever the amount', () => {
  fc.assert(
    fc.property(atomics, bps, (atomic, feeBps) => {
      const moved = kinds.map((kind) => movementJournal({ kind, atomic, feeBps }, payment))
      return [...moved, chargeJournal('a', 'wallet:b', { atomic, asset }), sweepJournal(atomic)].every(isBalanced)
    }),
  )
})

test('whatever leaves the escrow, it empties exactly what the lock filled', () => {
  fc.assert(
    fc.property(
      atomics,
      bps,
      fc.constantFrom<MovementKind>('captured', 'voided', 'reclaimed'),
      (atomic, feeBps, kind) => {
        const lines = [
          ...movementJournal({ kind: 'authorized', atomic, feeBps: null }, payment),
          ...movementJournal({ kind, atomic, feeBps }, payment),
        ]
        expect(lines.filter(({ account }) => account === 'escrow:h').reduce((sum, one) => sum + one.atomic, 0n)).toBe(
          0n,
        )
      },
    ),
  )
})

test('a captured amount is shared as the fee of the platform is split', () => {
  fc.assert(
    fc.property(atomics, (atomic) => {
      const { fee, payout } = splitFee({ atomic, asset })
      expect(shareOf({ atomic, feeBps: 1_300 })).toEqual({ fee: fee.atomic, payout: payout.atomic })
    }),
  )
})

test('the books know each journal by its accounts, to the unit', () => {
  const lines = (kind: MovementKind) => movementJournal({ kind, atomic: 101n, feeBps: 1_300 }, payment)
  const [fee, payout] = [13n, 88n]
  const held = [
    { account: 'wallet:a', atomic: -101n },
    { account: 'escrow:h', atomic: 101n },
  ]
  const paidOut = [
    { account: 'escrow:h', atomic: -101n },
    { account: 'wallet:b', atomic: payout },
    { account: 'operator', atomic: fee },
  ]
  const back = (from: string) => [
    { account: from, atomic: -101n },
    { account: 'wallet:a', atomic: 101n },
  ]
  expect(Object.fromEntries(kinds.map((kind) => [kind, lines(kind)]))).toEqual({
    authorized: held,
    charged: [...held, ...paidOut],
    captured: paidOut,
    voided: back('escrow:h'),
    reclaimed: back('escrow:h'),
    refunded: back('refund:h'),
  })
  expect(sweepJournal(13n)).toEqual([
    { account: 'operator', atomic: -13n },
    { account: 'treasury', atomic: 13n },
  ])
  expect(chargeJournal('a', 'wallet:b', { atomic: 5n, asset })).toEqual([
    { account: 'wallet:a', atomic: -5n },
    { account: 'wallet:b', atomic: 5n },
  ])
})

test('a journal in which more leaves than arrives, or less, is not balanced', () => {
  const left = { account: 'wallet:a', atomic: -5n }
  expect([4n, 5n, 6n].map((atomic) => isBalanced([left, { account: 'wallet:b', atomic }]))).toEqual([
    false,
    true,
    false,
  ])
})

test('what was put into a channel leaves it at its end, whoever gets it', () => {
  const share = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(share, share, share, share, (worker, fee, dust, refund) => {
      const funded = channelFundedJournal('payer', 'c', worker + fee + dust + refund)
      const ended = channelEndedJournal({ id: 'c', payer: 'payer', worker: 'worker' }, { worker, fee, dust, refund })
      const left = [...funded, ...ended].filter(({ account }) => account === channelAccount('c'))
      expect(left.reduce((sum, { atomic }) => sum + atomic, 0n)).toBe(0n)
      return isBalanced(funded) && isBalanced(ended)
    }),
  )
})
