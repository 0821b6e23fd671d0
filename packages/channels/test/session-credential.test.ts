import { base64urlToBytes, bytesToBase64url, ProtocolError, signEd25519, toBase58, utf8 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  credentialHeader,
  demandClaimed,
  encodeTransaction,
  isProved,
  proofText,
  readCredential,
  receiptHeader,
  signVoucher,
  toHeaderJson,
  verifyOpen,
  type SessionAction,
} from '../src/index.ts'
import { agreed, buyer, channelId, open, operator, place, filled, signedByBuyer, terms, voucherKey } from './opening.ts'

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

  const voucherWith = (change: object, inner: object = {}): string => {
    const { voucher: written } = payloadOf({ action: 'voucher', signed, signer: voucherKey })
    // We have just written it.
    const { voucher: own, ...rest } = written as { voucher: object }
    return headerOf({ action: 'voucher', voucher: { ...rest, voucher: { ...own, ...inner }, ...change } })
  }
  const useWith = (change: object): string => {
    const payload = payloadOf({ action: 'use', channelId, proof: proofOf('c-1') })
    return headerOf({ ...payload, authentication: { ...(payload['authentication'] as object), ...change } })
  }
  const scheme = 'the credential must be Payment and base64url'

  test.each([
    ['another scheme', 'Bearer abc', scheme],
    ['no token', 'Payment ', scheme],
    ['parameters', 'Payment id="a"', scheme],
    ['JSON that is no object', `Payment ${toHeaderJson([1])}`, 'credential must be an object'],
    ['a member nobody knows', `Payment ${toHeaderJson({ challenge: {}, payload: {}, more: 1 })}`, 'more'],
    [
      'a challenge that is none',
      `Payment ${toHeaderJson({ challenge: 1, payload: {} })}`,
      'challenge must be an object',
    ],
    ['no payload', `Payment ${toHeaderJson({ challenge: {} })}`, 'credential.payload must be present'],
    ['no action', headerOf({}), 'payload.action must be open, voucher, use, topUp or close'],
    [
      'an action nobody knows',
      headerOf({ action: 'reopen' }),
      'payload.action must be open, voucher, use, topUp or close',
    ],
    ['a voucher that is none', headerOf({ action: 'voucher', voucher: 1 }), 'voucher must be an object'],
    ['a voucher of another curve', voucherWith({ signatureType: 'p256' }), 'voucher.signatureType must be ed25519'],
    ['a voucher without its inside', voucherWith({ voucher: undefined }), 'voucher.voucher must be there'],
    ['a voucher whose inside is none', voucherWith({ voucher: 1 }), 'voucher.voucher must be an object'],
    ['a voucher with more inside', voucherWith({}, { more: 1 }), 'more'],
    ...[-1, 0.5, '1'].map((expiresAt): [string, string, string] => [
      `a voucher that ends at ${JSON.stringify(expiresAt)}`,
      voucherWith({}, { expiresAt }),
      'voucher.voucher.expiresAt must be whole seconds',
    ]),
    ['a signature that is a number', voucherWith({ signature: 1 }), 'voucher.signature'],
    [
      'a proof that is none',
      headerOf({ action: 'use', channelId, authentication: 1 }),
      'authentication must be an object',
    ],
    ['a proof of another type', useWith({ type: 'password' }), 'authentication.type must be proof'],
    ['a proof of no challenge', useWith({ challengeId: 1 }), 'authentication.challengeId'],
    ['a proof without a signature', useWith({ signature: 1 }), 'authentication.signature'],
    [
      'a transaction that is no base64',
      headerOf({ action: 'topUp', channelId, additionalAmount: '1', transaction: '*' }),
      'transaction must be base64',
    ],
    [
      'a transaction that is no text',
      headerOf({ action: 'topUp', channelId, additionalAmount: '1', transaction: 1 }),
      'transaction',
    ],
    [
      'an amount with a leading zero',
      headerOf({ action: 'topUp', channelId, additionalAmount: '01', transaction: '' }),
      'additionalAmount must be an unsigned 64-bit number as a decimal text',
    ],
  ])('%s is refused', (_name, header, message) => {
    expect(() => readCredential(header)).toThrow(expect.objectContaining({ code: 'malformed' }))
    expect(() => readCredential(header)).toThrow(message)
  })

  test('may name where it comes from', () => {
    const { challenge, payload } = { challenge: { id: 'c-1' }, payload: payloadOf({ action: 'close', channelId }) }
    const header = `Payment ${bytesToBase64url(utf8(JSON.stringify({ challenge, payload, source: 'did:example:1' })))}`
    expect(readCredential(header).action).toEqual({ action: 'close', channelId })
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
