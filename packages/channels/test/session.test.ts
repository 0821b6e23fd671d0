import { bytesToBase64url, utf8 } from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  challengeHeader,
  fromHeaderJson,
  requestFromWire,
  requestToWire,
  toHeaderJson,
  type CanonicalValue,
  type SessionRequest,
} from '../src/index.ts'
import { agreed, buyer, channelId, operator, place, terms, voucherKey } from './opening.ts'

const malformed = (message: string): Error => expect.objectContaining({ code: 'malformed', message }) as Error

describe('canonical JSON', () => {
  test('names in the order of UTF-16, no spaces, whole numbers: RFC 8785 §3.2', () => {
    const value = {
      '\u20ac': 'euro',
      '\r': 'return',
      '\ufb33': 'dalet',
      '1': 'one',
      '\u{1f600}': 'smile',
      '\u0080': 'control',
      '\u00f6': 'o',
    }
    expect(canonicalJson(value)).toBe(
      '{"\\r":"return","1":"one","\u0080":"control","\u00f6":"o","\u20ac":"euro","\u{1f600}":"smile","\ufb33":"dalet"}',
    )
    expect(canonicalJson({ b: [1, -0, null, true], a: { d: undefined, c: 'x\u000f"\\/' } })).toBe(
      '{"a":{"c":"x\\u000f\\"\\\\/"},"b":[1,0,null,true]}',
    )
  })

  test('it reads as what was written, and comes out the same whatever order it was made in', () => {
    // V8 13.6 takes an escaped name for one that it read before, where that one begins with a backslash:
    // JSON.parse('{"\\\\":1}'), then JSON.parse('{"\\"":1}').
    const name = fc.string().filter((text) => !text.startsWith('\\'))
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean())), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(Object.fromEntries(Object.entries(value).toReversed()))).toBe(text)
        expect(fromHeaderJson(toHeaderJson(value))).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each<[string, CanonicalValue, string]>([
    ['a broken number', 0.5, 'numbers here are whole'],
    ['a number beyond what is exact', 2 ** 53, 'numbers here are whole'],
    ['half a surrogate pair', '\ud800', 'a text with half a surrogate pair is no Unicode'],
    ['half a pair in a name', { '\udfff': 1 }, 'a text with half a surrogate pair is no Unicode'],
  ])('%s is refused', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(malformed(message))
  })

  const spelling = 'not base64url without padding, or too long'
  test.each([
    ['a=', spelling],
    ['a', spelling],
    ['****', spelling],
    [bytesToBase64url(utf8('{')), 'not JSON in UTF-8'],
    [bytesToBase64url(Uint8Array.of(0x22, 0xff, 0x22)), 'not JSON in UTF-8'],
    [bytesToBase64url(utf8(`"${'x'.repeat(12_287)}"`)), spelling],
  ])('a header of %.20s is refused', (text, message) => {
    expect(() => fromHeaderJson(text)).toThrow(malformed(message))
  })

  test('a header of 16384 characters is read', () => {
    const text = bytesToBase64url(utf8(`"${'x'.repeat(12_286)}"`))
    expect(text).toHaveLength(16_384)
    expect(fromHeaderJson(text)).toBe('x'.repeat(12_286))
  })
})

const request: SessionRequest = {
  amount: 100n,
  unitType: 'request',
  recipient: operator,
  currency: terms.mint,
  minimumDeposit: 1_000_000n,
  suggestedDeposit: 5_000_000n,
  network: 'localnet',
  channelProgram: agreed.channelProgram,
  decimals: 6,
  operator,
  voucherSigner: 'operator',
  authorizedSigner: voucherKey,
  gracePeriodSec: 900,
  splits: terms.splits,
  idleTimeoutOptionsSec: [60, 300],
  recentBlockhash: place(77),
  recentSlot: 1_100n,
}

describe('the challenge', () => {
  test('a request is written as the draft has it', () => {
    expect(requestToWire(request)).toEqual({
      amount: '100',
      unitType: 'request',
      recipient: operator,
      currency: terms.mint,
      minimumDeposit: '1000000',
      suggestedDeposit: '5000000',
      description: undefined,
      externalId: undefined,
      methodDetails: {
        network: 'localnet',
        channelProgram: 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX',
        tokenProgram: undefined,
        decimals: 6,
        feePayer: true,
        feePayerKey: operator,
        voucherSigner: 'operator',
        operator: voucherKey,
        gracePeriodSeconds: 900,
        distributionSplits: [{ recipient: terms.splits[0]?.recipient, shareBps: 8_700 }],
        minVoucherDelta: undefined,
        idleTimeoutOptionsSeconds: [60, 300],
        recentBlockhash: place(77),
        recentSlot: '1100',
        channelId: undefined,
      },
    })
  })

  test('a client reads what the service wrote', () => {
    const header = challengeHeader({ id: 'c-1', realm: 'ergon "x"', expires: '2026-11-23T00:00:00Z', request })
    expect(header).toMatch(
      /^Payment id="c-1", realm="ergon \\"x\\"", method="solana", intent="session", expires="2026-11-23T00:00:00Z", request="[\w-]+"$/,
    )
    expect(requestFromWire(/request="([^"]+)"/.exec(header)?.[1] ?? '')).toEqual(request)
  })

  test('no header is broken by what is put into it', () => {
    expect(() => challengeHeader({ id: 'a\r\nSet-Cookie: x', realm: 'r', request })).toThrow(
      malformed('challenge must be printable ASCII'),
    )
  })

  test('what need not be said is not, and what was said is read', () => {
    const {
      description: _d,
      externalId: _e,
      ...least
    } = {
      ...request,
      ...{
        unitType: undefined,
        minimumDeposit: undefined,
        suggestedDeposit: undefined,
        description: '',
        externalId: '',
      },
      ...{ authorizedSigner: undefined, idleTimeoutOptionsSec: undefined, recentBlockhash: undefined },
      ...{ recentSlot: undefined },
    }
    const told = JSON.parse(
      JSON.stringify(least, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
    ) as object
    expect(Object.keys(requestFromWire(toHeaderJson(requestToWire(least as never))))).toEqual(Object.keys(told))
    const most = {
      ...request,
      description: 'tiles',
      externalId: 'order 7',
      tokenProgram: place(6),
      minVoucherDelta: 3n,
      channelId,
      decimals: 18,
      gracePeriodSec: 0,
      idleTimeoutOptionsSec: [...Array(16).keys()],
      splits: Array.from({ length: 32 }, (_, at) => ({ recipient: place(at + 1), bps: 10_000 })),
    } satisfies SessionRequest
    expect(requestFromWire(toHeaderJson(requestToWire(most)))).toEqual(most)
  })

  test('vouchers of a request that does not say are signed by the client', () => {
    const { methodDetails, ...rest } = requestToWire(request) as { methodDetails: Record<string, CanonicalValue> }
    const { voucherSigner: _gone, ...details } = methodDetails
    expect(requestFromWire(toHeaderJson({ ...rest, methodDetails: details })).voucherSigner).toBe('client')
  })

  test.each<[string, object, string]>([
    ['a price that is a number', { amount: 1 }, 'amount must be an unsigned 64-bit number as a decimal text'],
    ['a price with a sign', { amount: '+1' }, 'amount must be an unsigned 64-bit number as a decimal text'],
    [
      'a price beyond 64 bits',
      { amount: '18446744073709551616' },
      'amount must be an unsigned 64-bit number as a decimal text',
    ],
    ['a recipient that is no key', { recipient: 'abc' }, 'recipient must be 32 bytes in base58'],
    [
      'a fee that nobody sponsors',
      { methodDetails: { feePayer: false } },
      'methodDetails.feePayer must be true: the operator pays fee and rent',
    ],
    [
      'a network of no name',
      { methodDetails: { network: 'solana' } },
      'network must be one of mainnet, devnet, localnet',
    ],
    [
      'a share of more than all',
      { methodDetails: { distributionSplits: [{ recipient: buyer, shareBps: 10_001 }] } },
      'shareBps must be a whole number from 0 to 10000',
    ],
    [
      'a share below nothing',
      { methodDetails: { distributionSplits: [{ recipient: buyer, shareBps: -1 }] } },
      'shareBps must be a whole number from 0 to 10000',
    ],
    [
      'a broken share',
      { methodDetails: { distributionSplits: [{ recipient: buyer, shareBps: 0.5 }] } },
      'shareBps must be a whole number from 0 to 10000',
    ],
    [
      'a share as a text',
      { methodDetails: { distributionSplits: [{ recipient: buyer, shareBps: '1' }] } },
      'shareBps must be a whole number from 0 to 10000',
    ],
    [
      'shares of 33',
      { methodDetails: { distributionSplits: Array(33).fill({ recipient: buyer, shareBps: 1 }) } },
      'distributionSplits must be at most 32 recipients',
    ],
    [
      'shares that are no list',
      { methodDetails: { distributionSplits: { length: 1 } } },
      'distributionSplits must be at most 32 recipients',
    ],
    ['a share that is none', { methodDetails: { distributionSplits: [1] } }, 'distributionSplits must be an object'],
    [
      '17 times to choose from',
      { methodDetails: { idleTimeoutOptionsSeconds: Array(17).fill(1) } },
      'idleTimeoutOptionsSeconds must be at most 16 whole numbers',
    ],
    [
      'a signer of another kind',
      { methodDetails: { voucherSigner: 'anybody' } },
      'voucherSigner must be one of operator, client',
    ],
    ['details that are none', { methodDetails: 7 }, 'request.methodDetails must be an object'],
  ])('%s is refused by the client', (_, changed, message) => {
    // What is written above is plain JSON.
    const wire = JSON.parse(canonicalJson(requestToWire(request))) as { methodDetails: object }
    const given = 'methodDetails' in changed ? changed.methodDetails : {}
    const details = typeof given === 'object' ? { ...wire.methodDetails, ...given } : given
    const text = bytesToBase64url(utf8(JSON.stringify({ ...wire, ...changed, methodDetails: details })))
    expect(() => requestFromWire(text)).toThrow(message)
  })
})
