import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyPayment,
  bytesToHex,
  hashTypedData,
  parseStandingOrder,
  privateKeySigner,
  ProtocolError,
  standingFault,
  standingOrderDigest,
  standingOrderToWire,
  standingOrderTypedData,
  standingRevocationDigest,
  standingRevocationTypedData,
  type StandingOrder,
  type StandingRelease,
} from '../src/index.ts'

const repeat = (byte: string, times: number): `0x${string}` => `0x${byte.repeat(times)}`

/** Of the key 0x11 thirty-two times, on chain 8453. */
const order: StandingOrder = {
  payer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
  spender: repeat('33', 20),
  operator: '0x271f9fa7f8907acf178ccfb470076d9129d8f0eb',
  token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  maxPerRelease: 100_000_000n,
  maxTotal: 500_000_000n,
  maxCount: 50,
  notBefore: 1_757_000_000,
  notAfter: 1_757_000_900,
  nonce: repeat('01', 32),
  payment: anyPayment,
}
const payment = '0x5890a092cb9b8d3c17efc8a3fca99886d05f53ced3432a530eb2b4c7ef517f59'
/** The release without a click: one payment, once. */
const forOne: StandingOrder = { ...order, payment, maxCount: 1, maxTotal: 100_000n, maxPerRelease: 100_000n }

test('a revocation is the EIP-712 document over the digest of its order, on its chain alone', () => {
  const hash = bytesToHex(standingOrderDigest(order, 8453))
  const digest = standingRevocationDigest(hash, 8453)
  expect(hashTypedData(standingRevocationTypedData(hash, 8453))).toEqual(digest)
  expect(standingRevocationDigest(hash, 8454)).not.toEqual(digest)
  expect(standingRevocationDigest(payment, 8453)).not.toEqual(digest)
})

describe('golden vectors', () => {
  test.each([
    [
      'any payment',
      order,
      '0xe018969107c10a5e885cd28581da3c3e41f1fd8e5be3bfece95bf5c4a6fdb4d7',
      '0xe3653b6239e28b39854302f415a95e504868102e2d77241c3b1fbae31cef0005567be48543d4e58439141558e4a307f6b0721993591d8b3748d6491e95df7c7e1c',
    ],
    [
      'one payment',
      forOne,
      '0x412e27985303e1e0735196a94ad0184efda52fdb0d590980156ffb47fc9f42f0',
      '0x668aaa1aa5ede1b34c068dbf347efbd741baeb66421aa71cbff8c7b702ab8df90dd43974cc7d51a3dfb18dbfa551bc06f981ecf1e74e73bade160e4de59f41081b',
    ],
  ] as const)('an order for %s has this digest and this signature', async (_what, given, digest, signature) => {
    expect(bytesToHex(standingOrderDigest(given, 8453))).toBe(digest)
    const signer = privateKeySigner(repeat('11', 32))
    expect(await signer.signTypedData(standingOrderTypedData(given, 8453))).toBe(signature)
    // Another chain, another digest.
    expect(bytesToHex(standingOrderDigest(given, 8454))).not.toBe(digest)
  })
})

describe('the wire', () => {
  const signature = repeat('ab', 65)
  test('carries an order there and back', () => {
    expect(parseStandingOrder(JSON.parse(JSON.stringify(standingOrderToWire(order, signature))))).toEqual({
      order,
      signature,
    })
  })

  test.each(Object.keys(standingOrderToWire(order, signature)))('needs %s, of its own shape', (key) => {
    const wire: Record<string, unknown> = { ...standingOrderToWire(order, signature) }
    for (const wrong of [undefined, null, {}, -1, '0xa', '1.5'])
      expect(() => parseStandingOrder({ ...wire, [key]: wrong }), `${key}: ${JSON.stringify(wrong)}`).toThrow(
        ProtocolError,
      )
    const { [key]: _dropped, ...rest } = wire
    expect(() => parseStandingOrder(rest)).toThrow(ProtocolError)
    expect(() => parseStandingOrder({ ...wire, more: 1 })).toThrow(ProtocolError)
  })

  test('anything is read or refused as malformed', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => parseStandingOrder(value)).toThrow(ProtocolError)
      }),
    )
  })
})

const release: StandingRelease = {
  signer: order.spender,
  amount: 100_000_000n,
  info: { payer: order.payer, operator: order.operator, token: order.token, maxAmount: 100_000_000n },
  paymentHash: payment,
  now: order.notBefore,
}

describe('the bounds', () => {
  test('a release at every bound is within', () => {
    expect(standingFault(order, release)).toBeUndefined()
    expect(standingFault(order, { ...release, now: order.notAfter - 1 })).toBeUndefined()
    expect(standingFault({ ...order, payment }, release)).toBeUndefined()
  })

  const other = repeat('55', 20)
  test.each<[string, Partial<StandingOrder>, Partial<StandingRelease>]>([
    ['standing_payer', {}, { info: { ...release.info, payer: other } }],
    ['standing_spender', {}, { signer: other }],
    ['standing_operator', {}, { info: { ...release.info, operator: other } }],
    ['standing_token', {}, { info: { ...release.info, token: other } }],
    ['standing_payment', { payment: repeat('77', 32) }, {}],
    ['standing_not_yet', {}, { now: order.notBefore - 1 }],
    ['standing_over', {}, { now: order.notAfter }],
    ['standing_too_long', { notAfter: order.notBefore + 366 * 86_400 + 1 }, {}],
    ['standing_amount', {}, { amount: 100_000_001n }],
    ['standing_amount', {}, { amount: 1n, info: { ...release.info, maxAmount: 100_000_001n } }],
  ])('one step past is %s', (fault, change, asked) => {
    expect(standingFault({ ...order, ...change }, { ...release, ...asked })).toBe(fault)
  })
})
