import { describe, expect, test } from 'vitest'
import {
  decodePaymentHeader,
  encodePaymentHeader,
  isEscrowRequest,
  networks,
  parseEscrowRequest,
  parseExactPayload,
  parsePaymentRequest,
  parsePaymentRequired,
  parseRequirementsV1,
  toV1Requirements,
  toV2Requirements,
} from '../src/index.ts'

const address = (byte: string): string => `0x${byte.repeat(20)}`
const hex32 = `0x${'01'.repeat(32)}`
const authorization = {
  from: address('aa'),
  to: address('bb'),
  value: '1000000',
  validAfter: '0',
  validBefore: '1790000000',
  nonce: hex32,
}
const v1 = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '1000000',
  resource: 'https://example.com/x',
  description: 'x',
  mimeType: 'application/json',
  payTo: address('bb'),
  maxTimeoutSeconds: 60,
  asset: networks.base.tokens['USDC']?.address ?? '',
  extra: { name: 'USD Coin', version: '2' },
}
const { maxAmountRequired: amount, resource: url, description, mimeType, ...common } = v1
const v2 = { ...common, network: 'eip155:8453', amount }
const payload = { signature: `0x${'11'.repeat(65)}`, authorization }

describe('x402 envelopes', () => {
  test('version 1 is read', () => {
    const body = {
      x402Version: 1,
      paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base', payload },
      paymentRequirements: { ...v1, outputSchema: null },
    }
    const request = parsePaymentRequest(body)
    expect(request).toEqual({ ...body, paymentRequirements: v1 })
    expect(parseExactPayload(request.paymentPayload.payload).authorization).toMatchObject({
      value: 1_000_000n,
      validAfter: 0n,
    })
  })

  test('version 2 is read, whole and in its short form', () => {
    const paymentPayload = { x402Version: 2, resource: { url }, accepted: v2, payload }
    expect(parsePaymentRequest({ x402Version: 2, paymentPayload, paymentRequirements: v2 })).toEqual({
      x402Version: 2,
      paymentPayload,
      paymentRequirements: v2,
    })
    expect(parsePaymentRequest(paymentPayload)).toEqual({ x402Version: 2, paymentPayload, paymentRequirements: v2 })
  })

  test('requirements change version without loss', () => {
    const { requirements, resource } = toV2Requirements(v1)
    expect([requirements, resource]).toEqual([v2, { url, description, mimeType }])
    expect(toV1Requirements(requirements, resource)).toEqual(v1)
    expect(() => toV2Requirements({ ...v1, network: 'nowhere' })).toThrow('no row')
  })

  test('402 answers are read in both versions', () => {
    expect(parsePaymentRequired({ x402Version: 1, accepts: [v1], error: 'pay' })).toEqual({
      x402Version: 1,
      accepts: [v1],
      error: 'pay',
    })
    const two = { x402Version: 2, resource: { url }, accepts: [v2], extensions: {} }
    expect(parsePaymentRequired(two)).toEqual(two)
  })

  test('headers carry JSON in base64, whatever its letters', () => {
    const content = { name: 'USD₮0', n: 1 }
    expect(decodePaymentHeader(encodePaymentHeader(content))).toEqual(content)
    for (const [bad, what] of [
      ['', 'JSON'],
      ['{}', 'base64'],
      ['e30', 'base64'],
      ['/w==', 'JSON'],
      [encodePaymentHeader({ long: 'x'.repeat(49_142) }), 'base64'],
    ] as const)
      expect(() => decodePaymentHeader(bad)).toThrow(
        expect.objectContaining({ code: 'malformed', message: `the payment header is not ${what}` }),
      )
    const longest = encodePaymentHeader({ long: 'x'.repeat(49_141) })
    expect(longest).toHaveLength(65_536)
    expect(decodePaymentHeader(longest)).toEqual({ long: 'x'.repeat(49_141) })
  })

  const one = {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base', payload },
    paymentRequirements: v1,
  }
  const two = { x402Version: 2, paymentPayload: { x402Version: 2, accepted: v2, payload }, paymentRequirements: v2 }
  const oneWith = (change: object) => ({ ...one, paymentRequirements: { ...v1, ...change } })
  const twoWith = (change: object) => ({ ...two, paymentPayload: { ...two.paymentPayload, ...change } })
  const paidFor = (resource: object) => twoWith({ resource: { url, ...resource } })

  test.each<[string, unknown, string]>([
    ['nothing', null, 'body must be an object'],
    ['version 3', { x402Version: 3 }, 'x402Version must be 1 or 2'],
    ['no version', {}, 'x402Version must be 1 or 2'],
    [
      'a payment of version 2 in a body of version 1',
      { ...one, paymentPayload: two.paymentPayload },
      'paymentPayload.x402Version must be 1',
    ],
    [
      'a payment of version 1 in a body of version 2',
      { ...two, paymentPayload: one.paymentPayload },
      'paymentPayload.x402Version must be 2',
    ],
    ['no payment', { ...one, paymentPayload: undefined }, 'paymentPayload must be an object'],
    ['a payment as a text', { ...two, paymentPayload: 'x' }, 'paymentPayload must be an object'],
    ['no requirements', { ...one, paymentRequirements: undefined }, 'paymentRequirements must be an object'],
    ['other requirements that are none', { ...two, paymentRequirements: [] }, 'paymentRequirements must be an object'],
    ['requirements that are absent', twoWith({ accepted: undefined }), 'paymentPayload.accepted must be an object'],
    ['an amount as a number', oneWith({ maxAmountRequired: 1 }), 'paymentRequirements.maxAmountRequired must be'],
    [
      'an amount of version 2 as a number',
      { ...two, paymentRequirements: { ...v2, amount: 1 } },
      'paymentRequirements.amount must be',
    ],
    [
      'a payload as a text',
      { ...one, paymentPayload: { ...one.paymentPayload, payload: 'x' } },
      'paymentPayload.payload must be an object',
    ],
    ['a payload of version 2 as a text', twoWith({ payload: 'x' }), 'paymentPayload.payload must be an object'],
    [
      'a scheme as a number',
      { ...one, paymentPayload: { ...one.paymentPayload, scheme: 1 } },
      'paymentPayload.scheme must be',
    ],
    [
      'a network as a number',
      { ...one, paymentPayload: { ...one.paymentPayload, network: 1 } },
      'paymentPayload.network must be',
    ],
    ['extensions as a list', twoWith({ extensions: [] }), 'paymentPayload.extensions must be an object'],
    ['a resource as a text', twoWith({ resource: url }), 'resource must be an object'],
    ['a resource without a URL', twoWith({ resource: {} }), 'resource.url must be'],
    ['a description as a number', paidFor({ description: 1 }), 'resource.description must be'],
    ['a type as a number', paidFor({ mimeType: 1 }), 'resource.mimeType must be'],
    ...['scheme', 'network', 'asset', 'payTo', 'maxTimeoutSeconds', 'resource', 'description', 'mimeType'].map(
      (name): [string, unknown, string] => [
        `${name} as a list`,
        oneWith({ [name]: [] }),
        `paymentRequirements.${name} must be`,
      ],
    ),
    ['extra as a list', oneWith({ extra: [] }), 'paymentRequirements.extra must be an object'],
    ['a schema as a list', oneWith({ outputSchema: [] }), 'paymentRequirements.outputSchema must be an object'],
  ])('%s is refused', (_, body, message) => {
    const code = message.startsWith('x402Version') ? 'invalid_x402_version' : 'malformed'
    expect(() => parsePaymentRequest(body)).toThrow(expect.objectContaining({ code }))
    expect(() => parsePaymentRequest(body)).toThrow(message)
  })

  test('what need not be said is left out, and what was said comes back', () => {
    const { resource: _r, description: _d, mimeType: _m, extra: _e, ...least } = v1
    expect(parseRequirementsV1({ ...least, extra: null, outputSchema: null }, 'r')).toEqual({
      ...least,
      resource: '',
      description: '',
      mimeType: '',
    })
    expect(parseRequirementsV1({ ...v1, outputSchema: { a: 1 } }, 'r')).toEqual({ ...v1, outputSchema: { a: 1 } })
    const whole = paidFor({ description, mimeType })
    expect(parsePaymentRequest(whole)).toEqual(whole)
    expect(parsePaymentRequest(twoWith({ extensions: { a: 1 } }))).toMatchObject({
      paymentPayload: { extensions: { a: 1 } },
    })
    expect(parsePaymentRequest(two).paymentPayload).not.toHaveProperty('resource')
  })

  test.each<[string, unknown, string]>([
    ['nothing', null, 'body must be an object'],
    ['no list', { x402Version: 1 }, 'body.accepts must be a list of at most 64'],
    ['a list too long', { x402Version: 1, accepts: Array(65).fill(v1) }, 'body.accepts must be a list of at most 64'],
    ['version 3', { x402Version: 3, accepts: [] }, 'x402Version must be 1 or 2'],
    ['an error that is no text', { x402Version: 1, accepts: [], error: 1 }, 'body.error must be'],
    ['a requirement that is none', { x402Version: 1, accepts: [v1, 1] }, 'accepts[1] must be an object'],
    [
      'one of version 2 that is none',
      { x402Version: 2, resource: { url }, accepts: [v2, 1] },
      'accepts[1] must be an object',
    ],
    ['no resource', { x402Version: 2, accepts: [] }, 'resource must be an object'],
    [
      'extensions as a list',
      { x402Version: 2, resource: { url }, accepts: [], extensions: [] },
      'body.extensions must be',
    ],
  ])('a 402 answer with %s is refused', (_, body, message) => {
    expect(() => parsePaymentRequired(body)).toThrow(message)
  })

  test('a 402 answer may offer 64 ways', () => {
    expect(parsePaymentRequired({ x402Version: 1, accepts: Array(64).fill(v1) }).accepts).toHaveLength(64)
  })

  test('a payment of the scheme exact is a signature and its authorization', () => {
    for (const [value, message] of [
      [1, 'payload must be an object'],
      [{ authorization }, 'payload.signature must be'],
      [{ signature: payload.signature }, 'payload.authorization must be an object'],
    ] as const)
      expect(() => parseExactPayload(value)).toThrow(message)
  })

  test('a timeout must be a whole number', () => {
    expect(() => parseRequirementsV1({ ...v1, maxTimeoutSeconds: 1.5 }, 'r')).toThrow('r.maxTimeoutSeconds')
  })
})

describe('escrow requests', () => {
  const extra = {
    escrowAddress: address('01'),
    operatorAddress: address('02'),
    tokenCollector: address('03'),
    name: 'USD Coin',
  }
  const paymentInfo = {
    operator: address('02'),
    receiver: address('04'),
    token: address('05'),
    maxAmount: '1000000',
    preApprovalExpiry: 1,
    authorizationExpiry: 2,
    refundExpiry: 3,
    minFeeBps: 0,
    maxFeeBps: 1300,
    feeReceiver: address('02'),
    salt: hex32,
  }
  const paymentRequirements = { scheme: 'escrow', network: 'eip155:8453', maxAmountRequired: '1000000', extra }
  const authorize = { x402Version: 2, scheme: 'escrow', payload: { ...payload, paymentInfo }, paymentRequirements }
  const lifecycleAuth = { signer: address('aa'), deadline: 5, nonce: hex32, signature: '0x11' }
  const release = {
    x402Version: 2,
    scheme: 'escrow',
    action: 'release',
    payload: { paymentInfo, payer: address('AA'), amount: '600000', lifecycleAuth },
    paymentRequirements,
  }

  test('authorize is the default action', () => {
    const request = parseEscrowRequest(authorize)
    expect(request).toMatchObject({
      action: 'authorize',
      network: 'eip155:8453',
      addresses: { escrow: address('01'), operator: address('02'), collector: address('03') },
    })
    expect(request.action === 'authorize' && request.auth.paymentInfo.payer).toBe(address('aa'))
  })

  test('release and refund carry payer, amount and the signed order', () => {
    for (const action of ['release', 'refundInEscrow'] as const) {
      const request = parseEscrowRequest({ ...release, action })
      expect(request).toMatchObject({ action, amount: 600_000n, lifecycleAuth, paymentInfo: { payer: address('aa') } })
    }
  })

  test('wrapped in paymentPayload they read the same', () => {
    const { action, payload: inner } = release
    const wrapped = { x402Version: 2, paymentPayload: { payload: inner, accepted: { action, ...paymentRequirements } } }
    expect(parseEscrowRequest(wrapped)).toEqual(parseEscrowRequest(release))
    expect([isEscrowRequest(wrapped), isEscrowRequest(release), isEscrowRequest(v1), isEscrowRequest(7)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test.each<[string, unknown]>([
    ['invalid_scheme', { ...authorize, scheme: 'exact' }],
    ['unknown_action', { ...release, action: 'steal' }],
    ['missing_field', { ...authorize, paymentRequirements: { ...paymentRequirements, network: undefined } }],
    ['missing_field', { ...authorize, paymentRequirements: { ...paymentRequirements, extra: undefined } }],
    ['malformed', { ...authorize, paymentRequirements: { ...paymentRequirements, extra: {} } }],
    ['malformed', { ...release, payload: { ...release.payload, amount: 600_000 } }],
    ['malformed', { ...release, payload: { ...release.payload, amount: (2n ** 120n).toString() } }],
    ['malformed', { ...release, payload: { ...release.payload, lifecycleAuth: { ...lifecycleAuth, deadline: '5' } } }],
  ])('are refused as %s', (code, body) => {
    try {
      parseEscrowRequest(body)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'ProtocolError', code })
    }
  })
})
