import { expect, test } from 'vitest'
import { checkAmount } from './check-amount.ts'

const asks = (message: Readonly<Record<string, unknown>>) => ({
  typedData: { domain: {}, types: {}, primaryType: 'Any', message },
})

test.each([
  ['a lock of it', [asks({ value: '1000000' })]],
  ['a release of it', [asks({ amount: '1000000' })]],
  ['payout and fee that make it up', [asks({ value: '870000' }), asks({ value: '130000' })]],
])('the bounty is signed as %s', (_what, asked) => {
  expect(() => {
    checkAmount(asked, 1_000_000n)
  }).not.toThrow()
})

test.each([
  ['more', [asks({ value: '1000001' })]],
  ['the bounty and a fee on top', [asks({ value: '1000000' }), asks({ value: '130000' })]],
  ['nothing', []],
  ['an amount nobody named', [asks({})]],
])('a wallet that is asked for %s does not sign', (_what, asked) => {
  expect(() => {
    checkAmount(asked, 1_000_000n)
  }).toThrow()
})
