import { expect, test } from 'vitest'
import { isUnpaid } from './is-unpaid.ts'

const tx = `0x${'1'.repeat(64)}`

test.each([
  ['cancelled', null, true],
  ['expired', null, true],
  ['expired', tx, false],
  ['completed', tx, false],
  ['completed', null, false],
  ['published', null, false],
] as const)('a task that is %s and has the payment %s is over without one: %s', (status, payment_tx, expected) => {
  expect(isUnpaid({ status, payment_tx })).toBe(expected)
})
