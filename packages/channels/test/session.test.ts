import { base64urlToBytes, bytesToBase64url, ProtocolError, signEd25519, toBase58, utf8 } from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  challengeHeader,
  credentialHeader,
  demandClaimed,
  encodeTransaction,
  fromHeaderJson,
  isProved,
  proofText,
  readCredential,
  receiptHeader,
  requestFromWire,
  requestToWire,
  signVoucher,
  toHeaderJson,
  verifyOpen,
  type CanonicalValue,
  type SessionAction,
  type SessionRequest,
} from '../src/index.ts'
import { agreed, buyer, channelId, open, operator, place, filled, signedByBuyer, terms, voucherKey } from './opening.ts'

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
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(Object.fromEntries(Object.entries(value).toReversed()))).toBe(text)
        expect(fromHeaderJson(toHeaderJson(value))).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each<[string, CanonicalValue]>([
    ['a broken number', 0.5],
    ['a number beyond what is exact', 2 ** 53],
    ['half a surrogate pair', '\ud800'],
    ['half a pair in a name', { '\udfff': 1 }],
  ])('%s is refused', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(ProtocolError)
  })

  test.each([
    'a=',
    'a',
    '****',
    bytesToBase64url(utf8('{')),
    bytesToBase64url(Uint8Array.of(0x22, 0xff, 0x22)),
    'A'.repeat(16_388),
  ])('a header of %j is refused', (text) => {
    expect(() => fromHeaderJson(text)).toThrow(ProtocolError)
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
    expect(() => challengeHeader({ id: 'a\r\nSet-Cookie: x', realm: 'r', request })).toThrow(ProtocolError)
  })

  test.each<[string, object]>([
    ['a price that is a number', { amount: 1 }],
    ['a price with a sign', { amount: '+1' }],
    ['a price beyond 64 bits', { amount: '18446744073709551616' }],
    ['a recipient that is no key', { recipient: 'abc' }],
    ['a fee that nobody sponsors', { methodDetails: { feePayer: false } }],
    ['a network of no name', { methodDetails: { network: 'solana' } }],
    ['a share of more than all', { methodDetails: { distributionSplits: [{ recipient: buyer, shareBps: 10_001 }] } }],
    ['shares of 33', { methodDetails: { distributionSplits: Array(33).fill({ recipient: buyer, shareBps: 1 }) } }],
    ['a signer of another kind', { methodDetails: { voucherSigner: 'anybody' } }],
  ])('%s is refused by the client', (_, changed) => {
    // What is written above is plain JSON.
    const wire = JSON.parse(canonicalJson(requestToWire(request))) as { methodDetails: object }
    const details =
      'methodDetails' in changed ? { ...wire.methodDetails, ...(changed.methodDetails as object) } : wire.methodDetails
    const text = bytesToBase64url(utf8(JSON.stringify({ ...wire, ...changed, methodDetails: details })))
    expect(() => requestFromWire(text)).toThrow(ProtocolError)
  })
})

const transaction = signedByBuyer([open])
const wire = encodeTransaction(transaction)
const proofOf = (challengeId: string) => ({
  challengeId,
  payer: buyer,
  signature: toBase58(signEd25519(utf8(proofText(channelId, { challengeId, payer: buyer })), filled(2))),
})
const voucher = { channelId, cumulative: 100n, expiresAt: 0n }
const signed = { voucher, signature: signVoucher(voucher, filled(4)) }
const claim = { ...terms, channelId, wire }
const { rentPayer: _, ...opening } = claim
const actions: readonly SessionAction[] = [
  { action: 'open', ...opening, proof: proofOf('c-1'), idleTimeoutSec: 300 },
  { action: 'voucher', signed, signer: voucherKey },
  { action: 'voucher', signed: { ...signed, voucher: { ...voucher, expiresAt: 1_800_000_000n } }, signer: voucherKey },
  { action: 'use', channelId, proof: proofOf('c-1') },
  { action: 'topUp', channelId, amount: 5n, wire },
  { action: 'close', channelId },
  { action: 'close', channelId, last: { signed, signer: voucherKey }, proof: proofOf('c-1') },
]
const payloadOf = (action: SessionAction): Record<string, unknown> => {
  const [, token = ''] = credentialHeader({ id: 'c-1' }, action).split(' ')
  // We have just written it.
  return (JSON.parse(Buffer.from(token, 'base64url').toString()) as { payload: Record<string, unknown> }).payload
}
const headerOf = (payload: unknown): string =>
  `Payment ${Buffer.from(JSON.stringify({ challenge: { id: 'c-1' }, payload })).toString('base64url')}`

describe('the credential', () => {
  test.each(actions.map((action) => [action.action, action] as const))(
    '%s is read as it was written',
    (_name, action) => {
      expect(readCredential(credentialHeader({ id: 'c-1' }, action))).toEqual({ challenge: { id: 'c-1' }, action })
    },
  )

  test('an opening that carries a bump is refused', () => {
    const [first] = actions
    const payload = payloadOf(first ?? { action: 'close', channelId })
    expect(() => readCredential(headerOf({ ...payload, bump: 254 }))).toThrow(/bump/)
    expect(readCredential(headerOf(payload)).action.action).toBe('open')
  })

  test('every action refuses members it does not know', () => {
    for (const action of actions)
      expect(() => readCredential(headerOf({ ...payloadOf(action), more: 1 })), action.action).toThrow(ProtocolError)
  })

  test('every action refuses to go without its own', () => {
    const optional = ['distributionSplits', 'idleTimeoutSeconds', 'authentication', 'voucher']
    for (const action of actions.filter(({ action: name }) => name !== 'close')) {
      const payload = payloadOf(action)
      for (const name of Object.keys(payload)) {
        if (action.action === 'open' && optional.includes(name)) continue
        const { [name]: _gone, ...rest } = payload
        expect(() => readCredential(headerOf(rest)), `${action.action} without ${name}`).toThrow(ProtocolError)
      }
    }
  })

  test('the inner object of a voucher may be called data, and there is one', () => {
    const { voucher: written } = payloadOf({ action: 'voucher', signed, signer: voucherKey })
    // We have just written it.
    const { voucher: inner, ...rest } = written as Record<string, unknown>
    expect(readCredential(headerOf({ action: 'voucher', voucher: { ...rest, data: inner } })).action).toEqual({
      action: 'voucher',
      signed,
      signer: voucherKey,
    })
    for (const both of [rest, { ...rest, data: inner, voucher: inner }])
      expect(() => readCredential(headerOf({ action: 'voucher', voucher: both }))).toThrow(ProtocolError)
  })

  test.each([
    ['another scheme', 'Bearer abc'],
    ['no token', 'Payment '],
    ['parameters', 'Payment id="a"'],
    ['JSON that is no object', `Payment ${toHeaderJson([1])}`],
    ['no payload', `Payment ${toHeaderJson({ challenge: {} })}`],
    ['no action', headerOf({})],
    ['an action nobody knows', headerOf({ action: 'reopen' })],
    [
      'a voucher of another curve',
      headerOf({ action: 'voucher', voucher: { voucher: {}, signer: buyer, signature: '1', signatureType: 'p256' } }),
    ],
    [
      'a transaction that is no base64',
      headerOf({ action: 'topUp', channelId, additionalAmount: '1', transaction: '*' }),
    ],
    [
      'an amount with a leading zero',
      headerOf({ action: 'topUp', channelId, additionalAmount: '01', transaction: '' }),
    ],
  ])('%s is refused', (_name, header) => {
    expect(() => readCredential(header)).toThrow(ProtocolError)
  })

  test('the transaction decides: a claim that differs from it is refused', () => {
    const verified = verifyOpen(wire, agreed)
    expect(() => demandClaimed(claim, verified)).not.toThrow()
    const others = {
      channelId: place(1),
      payer: operator,
      payee: buyer,
      mint: place(1),
      authorizedSigner: buyer,
      salt: 43n,
      deposit: 1n,
      gracePeriodSec: 901,
      openSlot: 1n,
      splits: [],
    }
    for (const [name, value] of Object.entries(others))
      expect(() => demandClaimed({ ...claim, [name]: value }, verified), name).toThrow(name)
  })
})

describe('the proof that lets an operator sign', () => {
  const proof = proofOf('c-1')

  test('it is canonical JSON of four members', () => {
    expect(proofText(channelId, proof)).toBe(
      `{"channelId":"${channelId}","domain":"mpp-session-auth-v1","payer":"${buyer}","sessionChallengeId":"c-1"}`,
    )
    expect(isProved(channelId, proof)).toBe(true)
  })

  test.each([
    ['of another channel', place(1), proof],
    ['of another challenge', channelId, { ...proof, challengeId: 'c-2' }],
    ['by another payer', channelId, { ...proof, payer: operator }],
    ['by nobody', channelId, { ...proof, payer: 'x' }],
    ['that is no signature', channelId, { ...proof, signature: '' }],
  ])('one %s is refused', (_name, channel, presented) => {
    expect(isProved(channel, presented)).toBe(false)
  })
})

test('a receipt names the channel and its sums', () => {
  const header = receiptHeader({
    channelId,
    timestamp: '2026-11-23T00:00:00Z',
    acceptedCumulative: 200n,
    spent: 200n,
    idleTimeoutSec: 300,
    txHash: 'sig',
    refunded: 5n,
  })
  expect(JSON.parse(new TextDecoder().decode(base64urlToBytes(header)))).toEqual({
    method: 'solana',
    intent: 'session',
    reference: channelId,
    status: 'success',
    timestamp: '2026-11-23T00:00:00Z',
    acceptedCumulative: '200',
    spent: '200',
    idleTimeoutSeconds: 300,
    txHash: 'sig',
    refunded: '5',
  })
})
