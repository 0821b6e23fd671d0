import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { txHash } from '../src/schema.ts'

test.each([
  ['a hash of a chain with contracts', `0x${'ab'.repeat(32)}`, true],
  ['a signature of Solana', '5'.repeat(88), true],
  ['none', null, true],
  ['a hash that is cut', `0x${'ab'.repeat(31)}`, false],
  ['a letter that base58 does not have', `${'5'.repeat(87)}0`, false],
])('a transaction is named by %s', (_what, value, isOne) => {
  expect(Check(txHash('The payment.'), value)).toBe(isOne)
})
