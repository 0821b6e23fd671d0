import { describe, expect, test } from 'vitest'
import {
  checkPaymentAuth,
  escrowAuthorizationChallenge,
  hashTypedData,
  hexToBytes,
  networks,
  parsePaymentAuth,
  privateKeySigner,
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
  /** What each refusal tells the payer. */
  const told: Readonly<Record<string, RegExp>> = {
    network: /^signed for eip155:8453, expected eip155:\d+$/,
    operator: /^operator is not the one of this network$/,
    token: /^token is not the expected one$/,
    collector: /^authorization\.to is not the token collector$/,
    payer: /^the payer is not the expected wallet$/,
    receiver: /^the receiver (is not the expected wallet|must be neither payer, operator nor zero)$/,
    amount: /^the amount must be exactly (5000000|0)$/,
    fee_bounds: /^the fee bounds must admit 1300 basis points$/,
    expiries: /^expiries must not decrease from pre-approval to refund$/,
    expired: /^the pre-approval has expired$/,
    nonce: /^the nonce is not the hash of the payment terms$/,
    signature: /^the authorization was not signed by the payer$/,
  }
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
    const fault = checkPaymentAuth(await anAuth(change), { ...expected, ...want })
    expect(fault?.code).toBe(code)
    expect(fault?.reason).toMatch(told[code] ?? /^$/)
  })

  test('is refused where the two places that name one thing differ', async () => {
    const auth = await anAuth()
    const { authorization, paymentInfo } = auth
    for (const [code, changed] of [
      ['amount', { ...auth, authorization: { ...authorization, value: authorization.value + 1n } }],
      ['amount', { ...auth, paymentInfo: { ...paymentInfo, maxAmount: paymentInfo.maxAmount + 1n } }],
      ['payer', { ...auth, authorization: { ...authorization, from: other } }],
      ['payer', { ...auth, paymentInfo: { ...paymentInfo, payer: other } }],
    ] as const)
      expect(checkPaymentAuth(changed, expected)?.code).toBe(code)
  })

  const { feeBps } = expected
  const at = now + 7_200
  test.each<[string, Partial<EscrowTerms>]>([
    ['the fee alone', { minFeeBps: feeBps, maxFeeBps: feeBps }],
    ['any fee', { minFeeBps: 0, maxFeeBps: 10_000 }],
    ['one moment for everything', { preApprovalExpiry: at, authorizationExpiry: at, refundExpiry: at }],
    ['the last second', { preApprovalExpiry: now + 1 }],
  ])('may allow %s', async (_, change) => {
    expect(checkPaymentAuth(await anAuth(change), expected)).toBeUndefined()
  })

  test('says what its envelope carries beside the payment, and nothing where there is nothing', async () => {
    const { extra: _, ...bare } = await anAuth()
    expect(parsePaymentAuth(serializePaymentAuth(bare))).toEqual(bare)
    const full = { ...bare, extra: { a: 1 } }
    expect(parsePaymentAuth(serializePaymentAuth(full))).toEqual(full)
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

  test.each<[string, unknown, string]>([
    ['text that is no JSON', '{', 'payment_auth must be JSON'],
    ['a list', [], 'payment_auth must be an object'],
    ['base64 of JSON', Buffer.from(JSON.stringify(good)).toString('base64'), 'payment_auth must be JSON'],
    ['another version', { ...(good as object), x402Version: 1 }, 'payment_auth.x402Version must be 2'],
    ['another scheme', { ...(good as object), scheme: 'exact' }, 'payment_auth.scheme must be escrow'],
    ['no payload', { ...(good as object), payload: 1 }, 'payload must be an object'],
    ['no requirements', { ...(good as object), paymentRequirements: 1 }, 'paymentRequirements must be an object'],
    [
      'another scheme inside',
      set('paymentRequirements', 'scheme', 'exact'),
      'paymentRequirements.scheme must be escrow',
    ],
    ['a short network name', set('paymentRequirements', 'network', 'base'), 'not a CAIP-2 chain id'],
    ['a network as a number', set('paymentRequirements', 'network', 1), 'paymentRequirements.network must be a text'],
    ['extra as a list', set('paymentRequirements', 'extra', []), 'paymentRequirements.extra must be an object'],
    ['an odd signature', set('payload', 'signature', '0x123'), 'payload.signature must be hex of at most 8192 bytes'],
    [
      'an endless signature',
      set('payload', 'signature', `0x${'00'.repeat(8193)}`),
      'payload.signature must be hex of at most 8192 bytes',
    ],
    ['an authorization that is absent', set('payload', 'authorization', undefined), 'authorization must be an object'],
    ['a foreign member', set('payload', 'more', 1), 'payload.more must be absent'],
    ['an endless text', ' '.repeat(32_769), 'payment_auth must be at most 32768 characters'],
  ])('%s', (_, value, message) => {
    expect(() => parsePaymentAuth(value)).toThrow(expect.objectContaining({ code: 'malformed' }))
    expect(() => parsePaymentAuth(value)).toThrow(message)
  })

  const authorization = (name: string, value: unknown) => {
    const { payload } = good as { readonly payload: { readonly authorization: object } }
    return set('payload', 'authorization', { ...payload.authorization, [name]: value })
  }

  test.each([
    ['from', 'authorization.from must be an address of 20 bytes in hex'],
    ['to', 'authorization.to must be an address of 20 bytes in hex'],
    ['value', 'authorization.value must be a decimal integer as text'],
    ['validAfter', 'authorization.validAfter must be a decimal integer as text'],
    ['validBefore', 'authorization.validBefore must be a decimal integer as text'],
    ['nonce', 'authorization.nonce must be 32 bytes in hex'],
    ['more', 'authorization.more must be absent'],
  ])('an authorization with another %s', (name, message) => {
    expect(() => parsePaymentAuth(authorization(name, 1))).toThrow(message)
    if (name !== 'more') expect(() => parsePaymentAuth(authorization(name, undefined))).toThrow(`authorization.${name}`)
  })
})
