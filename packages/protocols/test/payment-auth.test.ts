import { describe, expect, test } from 'vitest'
import {
  checkPaymentAuth,
  escrowAuthorizationChallenge,
  hashTypedData,
  hexToBytes,
  networks,
  parsePaymentAuth,
  privateKeySigner,
  ProtocolError,
  recoverAddress,
  sameAddress,
  serializePaymentAuth,
  signEscrowAuthorization,
  type EscrowTerms,
  type Hex,
  type PaymentAuth,
} from '../src/index.ts'

const now = 1_790_000_000
const signer = privateKeySigner('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const stranger = privateKeySigner('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba')
const row = networks.localnet
if (row.escrow === undefined) throw new Error('the local chain has an escrow')
const usdc = row.tokens['USDC']
const terms: EscrowTerms = {
  chainId: 31_337,
  escrow: row.escrow.escrow,
  collector: row.escrow.collector,
  operator: row.escrow.operator,
  token: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: (usdc?.address ?? '0x') as Hex },
  payer: signer.address,
  receiver: `0x${'22'.repeat(20)}`,
  amount: 5_000_000n,
  minFeeBps: 0,
  maxFeeBps: 1300,
  preApprovalExpiry: now + 7200,
  authorizationExpiry: now + 86_400,
  refundExpiry: now + 604_800,
  salt: 2n ** 255n + 7n,
}
const expected = { ...terms, feeBps: 1300, now }

async function anAuth(overrides: Partial<EscrowTerms> = {}, by = signer): Promise<PaymentAuth> {
  return parsePaymentAuth(
    await signEscrowAuthorization(escrowAuthorizationChallenge({ ...terms, payer: by.address, ...overrides }), by),
  )
}

describe('an escrow authorization', () => {
  test('that answers a challenge is the payment that was asked for', async () => {
    expect(checkPaymentAuth(await anAuth(), expected)).toBeUndefined()
  })

  test('survives its raw JSON, checksummed or not', async () => {
    const auth = await anAuth()
    expect(parsePaymentAuth(serializePaymentAuth(auth))).toEqual(auth)
    expect(parsePaymentAuth(JSON.parse(serializePaymentAuth(auth)))).toEqual(auth)
  })

  test('is signed over exactly the document of the challenge', async () => {
    const challenge = escrowAuthorizationChallenge(terms)
    const auth = parsePaymentAuth(await signEscrowAuthorization(challenge, signer))
    expect(recoverAddress(hashTypedData(challenge.typed_data), hexToBytes(auth.signature))).toBe(signer.address)
    expect(sameAddress(String(challenge.typed_data.message['to']), terms.collector)).toBe(true)
    expect(Object.keys(challenge.payment_info)).toHaveLength(11)
  })

  const other: Hex = `0x${'77'.repeat(20)}`
  test.each<[string, Partial<EscrowTerms>, Partial<typeof expected>]>([
    ['network', { chainId: 8453, token: { ...terms.token, chainId: 8453 } }, {}],
    ['operator', { operator: other }, {}],
    ['token', { token: { ...terms.token, verifyingContract: other } }, {}],
    ['collector', { collector: other }, {}],
    ['payer', {}, { payer: other }],
    ['receiver', { receiver: other }, {}],
    ['receiver', { receiver: signer.address }, { receiver: signer.address }],
    ['receiver', { receiver: terms.operator }, { receiver: terms.operator }],
    ['receiver', { receiver: `0x${'00'.repeat(20)}` }, { receiver: `0x${'00'.repeat(20)}` }],
    ['amount', { amount: 4_999_999n }, {}],
    ['amount', { amount: 5_000_001n }, {}],
    ['amount', { amount: 0n }, { amount: 0n }],
    ['fee_bounds', { maxFeeBps: 1299 }, {}],
    ['fee_bounds', { minFeeBps: 1301, maxFeeBps: 2000 }, {}],
    ['fee_bounds', { maxFeeBps: 10_001 }, {}],
    ['expiries', { authorizationExpiry: now + 7199 }, {}],
    ['expiries', { refundExpiry: now + 86_399 }, {}],
    ['expired', { preApprovalExpiry: now }, {}],
    ['expired', { preApprovalExpiry: now - 1 }, {}],
    ['nonce', { escrow: other }, {}],
    ['signature', { token: { ...terms.token, name: 'USDC' } }, {}],
  ])('is refused for its %s (case %#)', async (code, change, want) => {
    expect(checkPaymentAuth(await anAuth(change), { ...expected, ...want })?.code).toBe(code)
  })

  test('is refused when terms were changed after signing', async () => {
    const auth = await anAuth()
    const changed = { ...auth, paymentInfo: { ...auth.paymentInfo, salt: 1n } }
    expect(checkPaymentAuth(changed, expected)?.code).toBe('nonce')
    const feeReceiver = { ...auth, paymentInfo: { ...auth.paymentInfo, feeReceiver: other } }
    expect(checkPaymentAuth(feeReceiver, expected)?.code).toBe('fee_bounds')
    const window = {
      ...auth,
      authorization: { ...auth.authorization, validBefore: auth.authorization.validBefore + 1n },
    }
    expect(checkPaymentAuth(window, expected)?.code).toBe('expiries')
    const early = { ...auth, authorization: { ...auth.authorization, validAfter: 1n } }
    expect(checkPaymentAuth(early, expected)?.code).toBe('expiries')
  })

  test("is refused with another wallet's signature", async () => {
    const auth = await anAuth()
    const foreign = await stranger.signTypedData(escrowAuthorizationChallenge(terms).typed_data)
    expect(checkPaymentAuth({ ...auth, signature: foreign }, expected)).toEqual({
      code: 'signature',
      reason: 'the authorization was not signed by the payer',
    })
  })

  test('with a signature that is not 65 bytes is for the wallet to answer, after all else has been checked', async () => {
    const auth = { ...(await anAuth()), signature: `0x${'ab'.repeat(130)}` as const }
    expect(checkPaymentAuth(auth, expected)).toEqual({ code: 'signature', reason: 'contract_wallet' })
    expect(checkPaymentAuth(auth, { ...expected, amount: 1n })?.code).toBe('amount')
  })
})

describe('a challenge is not signed', () => {
  test('for another payer', async () => {
    await expect(signEscrowAuthorization(escrowAuthorizationChallenge(terms), stranger)).rejects.toThrow(
      'another payer',
    )
  })

  test('when its document pays a wallet the envelope does not name', async () => {
    const challenge = escrowAuthorizationChallenge(terms)
    const typed_data = { ...challenge.typed_data, message: { ...challenge.typed_data.message, to: stranger.address } }
    await expect(signEscrowAuthorization({ ...challenge, typed_data }, signer)).rejects.toThrow(
      'not the one of the envelope',
    )
  })

  test('when its document is for another chain', async () => {
    const challenge = escrowAuthorizationChallenge(terms)
    const typed_data = { ...challenge.typed_data, domain: { ...challenge.typed_data.domain, chainId: 8453 } }
    await expect(signEscrowAuthorization({ ...challenge, typed_data }, signer)).rejects.toThrow('two chains')
  })
})

describe('parsing refuses', () => {
  const good: unknown = JSON.parse(JSON.stringify(escrowAuthorizationChallenge(terms).envelope))
  const edit = (change: (root: Record<string, Record<string, unknown>>) => unknown): unknown => {
    // A fresh copy whose shape the envelope fixes.
    const root = structuredClone(good) as Record<string, Record<string, unknown>>
    return change(root) ?? root
  }
  const set = (part: string, key: string, value: unknown) =>
    edit((root) => {
      root[part] = { ...root[part], [key]: value }
    })

  test.each<[string, unknown]>([
    ['text that is no JSON', '{'],
    ['a list', []],
    ['base64 of JSON', Buffer.from(JSON.stringify(good)).toString('base64')],
    ['another version', { ...(good as object), x402Version: 1 }],
    ['another scheme', { ...(good as object), scheme: 'exact' }],
    ['another scheme inside', set('paymentRequirements', 'scheme', 'exact')],
    ['a short network name', set('paymentRequirements', 'network', 'base')],
    ['an odd signature', set('payload', 'signature', '0x123')],
    ['an endless signature', set('payload', 'signature', `0x${'00'.repeat(8193)}`)],
    ['an authorization that is absent', set('payload', 'authorization', undefined)],
    ['a foreign member', set('payload', 'more', 1)],
    ['an endless text', ' '.repeat(40_000)],
  ])('%s', (_, value) => {
    expect(() => parsePaymentAuth(value)).toThrow(ProtocolError)
  })
})
