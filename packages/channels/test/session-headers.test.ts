import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  challengeHeader,
  readChallenges,
  readReceipt,
  receiptHeader,
  requestToWire,
  type SessionRequest,
} from '../src/index.ts'
import { agreed, channelId, operator, terms } from './opening.ts'

const request: SessionRequest = {
  amount: 2_500n,
  recipient: operator,
  currency: terms.mint,
  network: 'localnet',
  channelProgram: agreed.channelProgram,
  decimals: 6,
  operator,
  voucherSigner: 'client',
  gracePeriodSec: 900,
  splits: terms.splits,
}
const header = (id: string): string =>
  challengeHeader({ id, realm: 'a "b", c=d', expires: '2026-11-24T00:00:00Z', request })

test.each<[string, string, readonly string[]]>([
  ['alone', header('one'), ['one']],
  ['two in one header', `${header('one')}, ${header('two')}`, ['one', 'two']],
  ['after another scheme', `Basic realm="x", ${header('one')}`, ['one']],
  ['before another scheme', `${header('one')}, Bearer realm="x", error="y"`, ['one']],
  ['of another intent', header('one').replace('intent="session"', 'intent="charge"'), []],
  ['whose request cannot be read', header('one').replace(/request="[^"]+"/, 'request="e30"'), []],
  ['nothing', '', []],
  ['a text', 'Payment', []],
])('challenges are read: %s', (_, text, ids) => {
  const read = readChallenges(text)
  expect(read.map(({ echo }) => echo['id'])).toEqual(ids)
  for (const one of read) {
    expect(one.echo['realm']).toBe('a "b", c=d')
    expect(requestToWire(one.request)).toEqual(requestToWire(request))
  }
})

test('a header of anybody is read without end or error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[Payment=", a-z]{0,200}$/)), (text) => {
      expect(Array.isArray(readChallenges(text))).toBe(true)
    }),
  )
})

test('a receipt is read as it was written, and one of another kind is none', () => {
  const receipt = { channelId, acceptedCumulative: 7n, spent: 5n, txHash: 'abc', refunded: 3n }
  expect(readReceipt(receiptHeader({ ...receipt, timestamp: 'now' }))).toEqual(receipt)
  expect(() => readReceipt('e30')).toThrow()
})
