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
  ProtocolError,
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
    for (const bad of ['', '{}', 'e30', '/w==', 'A'.repeat(70_000)])
      expect(() => decodePaymentHeader(bad)).toThrow(ProtocolError)
  })

  test.each<[string, unknown]>([
    ['version 3', { x402Version: 3 }],
    ['no version', {}],
    ['nothing', null],
    [
      'an amount as a number',
      {
        x402Version: 1,
        paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base', payload },
        paymentRequirements: { ...v1, maxAmountRequired: 1 },
      },
    ],
    [
      'a payload as text',
      {
        x402Version: 1,
        paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base', payload: 'x' },
        paymentRequirements: v1,
      },
    ],
    ['requirements that are absent', { x402Version: 2, paymentPayload: { x402Version: 2, payload } }],
  ])('%s is refused', (_, body) => {
    expect(() => parsePaymentRequest(body)).toThrow(ProtocolError)
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
