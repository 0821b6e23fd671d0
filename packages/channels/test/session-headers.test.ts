import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  challengeHeader,
  fromHeaderJson,
  readChallenges,
  readReceipt,
  receiptHeader,
  requestToWire,
  toHeaderJson,
  type CanonicalValue,
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
  const { refunded: _, ...unrefunded } = receipt
  expect(readReceipt(receiptHeader({ ...unrefunded, timestamp: 'now' }))).toEqual(unrefunded)
  expect(() => readReceipt(toHeaderJson([]))).toThrow('receipt must be an object')
  const wire = fromHeaderJson(receiptHeader({ ...receipt, timestamp: 'now' })) as Record<string, CanonicalValue>
  for (const [name, value] of Object.entries({ method: 'evm', intent: 'charge', status: 'failed' }))
    expect(() => readReceipt(toHeaderJson({ ...wire, [name]: value })), name).toThrow(
      expect.objectContaining({ code: 'malformed', message: 'the receipt is of no session' }),
    )
})

test('a header is read up to 65536 characters', () => {
  const padded = (length: number): string => {
    const one = header('one')
    return `${one}${','.repeat(200)}, Bearer realm="${'x'.repeat(length - one.length - 217)}"`
  }
  expect(padded(65_536)).toHaveLength(65_536)
  expect(readChallenges(padded(65_536))).toHaveLength(1)
  expect(readChallenges(padded(65_537))).toEqual([])
})

test('parameters of another scheme are not those of a challenge', () => {
  const [, parameters = ''] = /^Payment (.*)$/.exec(header('one')) ?? []
  expect(readChallenges(`Digest ${parameters}`)).toEqual([])
  expect(readChallenges(`Payment2 ${parameters}`)).toEqual([])
  expect(readChallenges(`PAYMENT ${parameters}`)).toHaveLength(1)
})
