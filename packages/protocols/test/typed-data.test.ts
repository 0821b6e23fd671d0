import * as fc from 'fast-check'
import { hashTypedData as viemHashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  bytesToHex,
  hashTypedData,
  lifecycleOrderDigest,
  lifecycleOrderTypedData,
  paymentInfoFromWire,
  paymentInfoToWire,
  receiveWithAuthorizationDigest,
  receiveWithAuthorizationTypedData,
  relayedAppendResponseTypedData,
  relayedGiveFeedbackTypedData,
  relayedRevokeFeedbackTypedData,
  releaseApprovalDigest,
  releaseApprovalTypedData,
  standingOrderDigest,
  standingOrderTypedData,
  transferWithAuthorizationDigest,
  transferWithAuthorizationTypedData,
  type Hex,
  type TypedData,
} from '../src/index.ts'

const hexOf = (bytes: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const address = hexOf(20)
const hex32 = hexOf(32)
const uint = (bits: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const seconds = fc.nat({ max: 2 ** 31 - 1 })
const chainId = fc.integer({ min: 1, max: 2 ** 40 })
const info = fc.record({
  operator: address,
  payer: address,
  receiver: address,
  token: address,
  maxAmount: uint(120),
  preApprovalExpiry: fc.nat({ max: 2 ** 31 - 1 }).map((low) => low + 2 ** 40),
  authorizationExpiry: seconds,
  refundExpiry: seconds,
  minFeeBps: fc.nat({ max: 65_535 }),
  maxFeeBps: fc.nat({ max: 65_535 }),
  feeReceiver: address,
  salt: uint(256),
})
/** What a wallet receives: the document after a trip through JSON. */
const viemDigest = (td: TypedData): string => viemHashTypedData(JSON.parse(JSON.stringify(td)))

describe('every document hashes the same by its fixed layout, by the generic hash and by viem', () => {
  const token = fc.record({
    name: fc.string(),
    version: fc.string({ minLength: 1 }),
    chainId,
    verifyingContract: address,
  })
  const transfer = fc.record({
    from: address,
    to: address,
    value: uint(256),
    validAfter: uint(64),
    validBefore: uint(256),
    nonce: hex32,
  })

  test('EIP-3009, both kinds', () => {
    fc.assert(
      fc.property(token, transfer, (domain, auth) => {
        for (const [digest, td] of [
          [receiveWithAuthorizationDigest(domain, auth), receiveWithAuthorizationTypedData(domain, auth)],
          [transferWithAuthorizationDigest(domain, auth), transferWithAuthorizationTypedData(domain, auth)],
        ] as const) {
          expect(bytesToHex(digest)).toBe(viemDigest(td))
          expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('EIP-3009, whatever was hashed before it', () => {
    const domains = fc.uniqueArray(token, { minLength: 70, maxLength: 80, selector: (one) => JSON.stringify(one) })
    fc.assert(
      fc.property(domains, transfer, (many, auth) => {
        const least = { ...auth, value: 0n, validAfter: 0n, validBefore: 1n }
        for (const domain of [...many, ...many]) {
          const most = { ...auth, value: 2n ** 256n - 1n, validAfter: 2n ** 256n - 1n, validBefore: 2n ** 256n - 1n }
          const digests = [most, least].map((one) => bytesToHex(receiveWithAuthorizationDigest(domain, one)))
          expect(digests).toEqual(
            [most, least].map((one) => viemDigest(receiveWithAuthorizationTypedData(domain, one))),
          )
        }
      }),
      { numRuns: 2 },
    )
  })

  test('lifecycle orders', () => {
    const order = fc.record({
      action: fc.constantFrom('release', 'refundInEscrow'),
      amount: uint(256),
      deadline: seconds,
      nonce: hex32,
      paymentInfo: info,
    })
    fc.assert(
      fc.property(order, chainId, (value, chain) => {
        const td = lifecycleOrderTypedData(value, chain)
        expect(bytesToHex(lifecycleOrderDigest(value, chain))).toBe(viemDigest(td))
        expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
      }),
      { numRuns: 40 },
    )
  })

  test('release approvals', () => {
    const approval = fc.record({
      submissionId: fc.uuid(),
      taskId: fc.uuid(),
      amount: uint(256),
      token: address,
      payer: address,
      deadline: seconds,
      nonce: hex32,
    })
    fc.assert(
      fc.property(approval, chainId, (value, chain) => {
        const td = releaseApprovalTypedData(value, chain)
        expect(bytesToHex(releaseApprovalDigest(value, chain))).toBe(viemDigest(td))
        expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
      }),
      { numRuns: 30 },
    )
  })

  test('standing orders', () => {
    const order = fc.record({
      payer: address,
      spender: address,
      operator: address,
      token: address,
      maxPerRelease: uint(256),
      maxTotal: uint(256),
      maxCount: fc.nat(),
      notBefore: seconds,
      notAfter: seconds,
      nonce: hex32,
      payment: hex32,
    })
    fc.assert(
      fc.property(order, chainId, (value, chain) => {
        const td = standingOrderTypedData(value, chain)
        expect(bytesToHex(standingOrderDigest(value, chain))).toBe(viemDigest(td))
        expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
      }),
      { numRuns: 30 },
    )
  })

  test('relayed ratings, revocations and responses', () => {
    const domain = fc.record({ chainId, verifyingContract: address })
    const common = { registry: address, agentId: uint(256), deadline: seconds, nonce: hex32 }
    const give = fc.record({
      ...common,
      value: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
      valueDecimals: fc.nat({ max: 18 }),
      tag1: fc.string(),
      tag2: fc.string(),
      endpoint: fc.webUrl(),
      feedbackURI: fc.webUrl(),
      feedbackHash: hex32,
    })
    const revoke = fc.record({ ...common, feedbackIndex: uint(64) })
    const respond = fc.record({
      ...common,
      clientAddress: address,
      feedbackIndex: uint(64),
      responseURI: fc.webUrl(),
      responseHash: hex32,
    })
    fc.assert(
      fc.property(domain, give, revoke, respond, (where, a, b, c) => {
        for (const td of [
          relayedGiveFeedbackTypedData(where, a),
          relayedRevokeFeedbackTypedData(where, b),
          relayedAppendResponseTypedData(where, c),
        ]) {
          expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('arrays, nested structs and every atomic type', () => {
    const td: TypedData = {
      domain: { name: 'd', salt: `0x${'07'.repeat(32)}` },
      types: {
        Leaf: [
          { name: 'flag', type: 'bool' },
          { name: 'short', type: 'bytes4' },
          { name: 'blob', type: 'bytes' },
        ],
        Tree: [
          { name: 'leaves', type: 'Leaf[]' },
          { name: 'pair', type: 'int8[2]' },
          { name: 'grid', type: 'uint256[][]' },
          { name: 'names', type: 'string[]' },
        ],
      },
      primaryType: 'Tree',
      message: {
        leaves: [
          { flag: true, short: '0x01020304', blob: '0x' },
          { flag: false, short: '0xffffffff', blob: '0x0102' },
        ],
        pair: [-1, 127],
        grid: [['1', '2'], []],
        names: ['', 'ü'],
      },
    }
    expect(bytesToHex(hashTypedData(td))).toBe(viemDigest(td))
  })
})

describe('typed data refuses what does not fit', () => {
  const one = (type: string, value: unknown): TypedData => ({
    domain: {},
    types: { A: [{ name: 'x', type }] },
    primaryType: 'A',
    message: { x: value },
  })
  test.each([
    ['uint8', 256],
    ['uint8', -1],
    ['int8', 128],
    ['int8', -129],
    ['uint256', 1.5],
    ['uint256', 2 ** 60],
    ['uint256', '1e3'],
    ['address', '0x1234'],
    ['bool', 1],
    ['bytes4', '0x010203'],
    ['bytes32', '0x01'],
    ['bytes', 'zz'],
    ['string', 5],
    ['uint8[2]', [1]],
    ['Missing', {}],
  ])('%s = %j', (type, value) => {
    expect(() => hashTypedData(one(type, value))).toThrow()
  })

  test('a missing member', () => {
    expect(() => hashTypedData({ ...one('string', ''), message: {} })).toThrow('A.x is missing')
  })
})

describe('payment terms on the wire', () => {
  test('come back as they went', () => {
    fc.assert(
      fc.property(info, (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(paymentInfoToWire(value)))
        expect(paymentInfoFromWire(wire, value.payer)).toEqual(value)
      }),
    )
  })

  const payer: Hex = `0x${'33'.repeat(20)}`
  const wire = paymentInfoToWire({ ...fc.sample(info, { numRuns: 1, seed: 1 })[0], payer } as never)
  test.each([
    ['a payer', { ...wire, payer }],
    ['a foreign member', { ...wire, more: 1 }],
    ['a salt in decimal', { ...wire, salt: '12345' }],
    ['a short salt', { ...wire, salt: '0x12' }],
    ['an amount as a number', { ...wire, maxAmount: 100_000 }],
    ['an amount with a leading zero', { ...wire, maxAmount: '0100' }],
    ['an amount over 120 bits', { ...wire, maxAmount: (2n ** 120n).toString() }],
    ['an expiry as text', { ...wire, refundExpiry: '1760086400' }],
    ['an expiry over 48 bits', { ...wire, refundExpiry: 2 ** 48 }],
    ['fractional basis points', { ...wire, maxFeeBps: 13.5 }],
    ['a list', [wire]],
    ['nothing', null],
  ])('refuse %s', (_, value) => {
    expect(() => paymentInfoFromWire(value, payer)).toThrow('paymentInfo')
  })

  test.each(Object.keys(wire))('refuse to miss %s', (key) => {
    expect(() => paymentInfoFromWire({ ...wire, [key]: undefined }, payer)).toThrow('paymentInfo')
    const { [key as keyof typeof wire]: _, ...rest } = wire
    expect(() => paymentInfoFromWire(rest, payer)).toThrow('paymentInfo')
  })
})
