import { expect, test } from 'vitest'
import { hashTypedData } from 'viem'
import { bytesToHex, ratedPaymentDigest, ratedPaymentTypedData, solanaTransaction } from '../src/index.ts'

const payment = {
  network: 'solana',
  transaction: '5'.repeat(88),
  payer: `0x${'11'.repeat(20)}`,
  payee: `0x${'22'.repeat(20)}`,
} as const

test('a payment that is told is signed by EIP-712, as another library hashes it', () => {
  const own = bytesToHex(ratedPaymentDigest(payment, 8_453))
  expect(own).toBe(
    hashTypedData({
      domain: { name: 'Task Marketplace', version: '1', chainId: 8_453 },
      types: {
        RatedPayment: [
          { name: 'network', type: 'string' },
          { name: 'transaction', type: 'string' },
          { name: 'payer', type: 'address' },
          { name: 'payee', type: 'address' },
        ],
      },
      primaryType: 'RatedPayment',
      message: payment,
    }),
  )
  expect(ratedPaymentTypedData(payment, 8_453).message).toEqual(payment)
  expect(bytesToHex(ratedPaymentDigest(payment, 1))).not.toBe(own)
})

test.each<readonly [text: string, isOne: boolean]>([
  ['5'.repeat(63), false],
  ['5'.repeat(64), true],
  ['5'.repeat(88), true],
  ['5'.repeat(89), false],
  ['0'.repeat(88), false],
  [`l${'5'.repeat(87)}`, false],
  [` ${'5'.repeat(87)}`, false],
  [`${'5'.repeat(87)}\n`, false],
])('%j is a transaction of Solana: %s', (text, isOne) => {
  expect(solanaTransaction.test(text)).toBe(isOne)
})
