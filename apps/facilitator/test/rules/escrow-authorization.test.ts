import { authorizationNonce, paymentInfoHash, zeroAddress, type PaymentInfo } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import type { Simulation } from '../../src/chain/chain.ts'
import {
  addresses,
  aPaymentInfo,
  authorizeBody,
  escrowRequirements,
  payer,
  randomHex32,
  stranger,
  treasury,
  worker,
} from '../../src/testing/payments.ts'
import {
  judgeEscrowAuthorization,
  refuseRevert,
  requireSigned,
  simulateAuthorize,
  type EscrowAuthorization,
} from '../../src/verify/escrow.ts'
import { readEnvelope } from '../../src/wire/envelope.ts'
import { networksOf, now, otherToken, served } from './served.ts'

const chainId = 31_337
const info = (change: Partial<PaymentInfo> = {}): PaymentInfo =>
  aPaymentInfo({
    preApprovalExpiry: now + 600,
    authorizationExpiry: now + 7_200,
    refundExpiry: now + 86_400,
    ...change,
  })
const network = served()
const networks = networksOf(network, served({ name: 'bare', caip2: 'eip155:99', escrow: undefined }))
const judged = (body: unknown): EscrowAuthorization => judgeEscrowAuthorization(readEnvelope(body), networks, now)
const refused = (code: string, message?: RegExp | string): unknown =>
  expect.objectContaining({
    code,
    status: 400,
    ...(message === undefined ? {} : { message: expect.stringMatching(message) as string }),
  })
const asking = (change: Record<string, unknown>) => ({
  ...authorizeBody(info()),
  paymentRequirements: escrowRequirements(change),
})

describe('an escrow authorization', () => {
  test('that is good says what is locked, by whom and under which hash', () => {
    const one = info()
    const read = judged(authorizeBody(one))
    expect(read).toMatchObject({ info: one, hash: paymentInfoHash(one, chainId, addresses.escrow), recovered: true })
    expect(read.authorization.nonce).toBe(authorizationNonce(one, chainId, addresses.escrow))
    expect(judged(authorizeBody(one, { key: stranger.privateKey })).recovered).toBe(false)
  })

  test('may have all of its times at one moment', () => {
    const at = now + 600
    expect(judged(authorizeBody(info({ authorizationExpiry: at, refundExpiry: at }))).recovered).toBe(true)
  })

  test.each<readonly [code: string, message: string, body: () => unknown]>([
    ['PaymentInfoInvalid', 'expiries are out of order', () => authorizeBody(info({ authorizationExpiry: now + 599 }))],
    ['PaymentInfoInvalid', 'expiries are out of order', () => authorizeBody(info({ refundExpiry: now + 7_199 }))],
    ['PaymentInfoInvalid', 'maxAmount is zero', () => authorizeBody(info({ maxAmount: 0n }))],
    [
      'PaymentInfoInvalid',
      'value differs from maxAmount',
      () => authorizeBody(info(), { authorization: { value: 1n } }),
    ],
    [
      'PaymentInfoInvalid',
      'value differs from maxAmount',
      () => authorizeBody(info(), { authorization: { value: 10n ** 7n } }),
    ],
    [
      'PaymentInfoInvalid',
      'does not match tokenCollector',
      () => authorizeBody(info(), { authorization: { to: worker.address } }),
    ],
    [
      'PaymentInfoInvalid',
      'nonce is not the hash',
      () => authorizeBody(info(), { authorization: { nonce: randomHex32() } }),
    ],
    [
      'PaymentInfoInvalid',
      'feeReceiver must be the operator',
      () => authorizeBody(info({ feeReceiver: treasury.address })),
    ],
    ['PaymentInfoInvalid', 'fee bounds must include 1300', () => authorizeBody(info({ maxFeeBps: 1_299 }))],
    [
      'PaymentInfoInvalid',
      `token ${worker.address} is not served`,
      () => authorizeBody(info({ token: worker.address })),
    ],
    ['operator_not_registered', 'not an operator', () => authorizeBody(info({ operator: worker.address }))],
    ['self_payment', 'SELF_PAYMENT_BLOCKED', () => authorizeBody(info({ receiver: payer.address }))],
    ['InvalidScheme', "expected 'escrow', got 'exact'", () => ({ ...authorizeBody(info()), scheme: 'exact' })],
    [
      'PaymentInfoInvalid',
      'another network \\(eip155:99\\)',
      () => ({ ...authorizeBody(info()), network: 'eip155:99' }),
    ],
    ['UnsupportedNetwork', 'Network localnet does not', () => asking({ network: 'localnet' })],
    ['UnsupportedNetwork', 'Network eip155:5 does not', () => asking({ network: 'eip155:5' })],
    ['UnsupportedNetwork', 'Network eip155:99 does not', () => asking({ network: 'eip155:99' })],
    ['MissingField', 'paymentRequirements.network', () => asking({ network: undefined })],
    ['MissingField', 'paymentRequirements.extra', () => asking({ extra: undefined })],
    ['invalid_payload', 'extra.escrowAddress must be an address', () => asking({ extra: {} })],
    ['invalid_payload', 'payload must be an object', () => ({ ...authorizeBody(info()), payload: 'x' })],
  ])('is refused as %s: %s', (code, message, body) => {
    expect(() => judged(body())).toThrow(refused(code, message))
  })

  test('names each address of the deployment that is none', () => {
    const { extra } = escrowRequirements()
    for (const name of ['escrowAddress', 'tokenCollector', 'operatorAddress'])
      expect(() => judged(asking({ extra: { ...(extra as object), [name]: '0x1' } }))).toThrow(
        refused('invalid_payload', `^extra.${name} must be `),
      )
  })

  test.each([
    ['the operator', addresses.operator],
    ['the treasury', treasury.address],
    ['the collector', addresses.collector],
    ['the escrow', addresses.escrow],
    ['nobody', zeroAddress],
    ["the token's own contract", addresses.token],
    ["another token's contract", otherToken],
  ])('to %s is refused', (_, receiver) => {
    expect(() => judged(authorizeBody(info({ receiver })))).toThrow(refused('forbidden_receiver', 'FORBIDDEN_RECEIVER'))
  })

  test('is for the network of what is asked for, by the payer too, under either name', () => {
    for (const name of ['localnet', 'eip155:31337'])
      expect(judged({ ...authorizeBody(info()), network: name }).recovered).toBe(true)
    const { paymentRequirements, ...body } = authorizeBody(info())
    const { network: _, ...rest } = paymentRequirements as Record<string, unknown>
    expect(judged({ ...body, network: 'eip155:31337', paymentRequirements: rest }).recovered).toBe(true)
    for (const scheme of ['commerce', undefined])
      expect(judged({ ...authorizeBody(info()), scheme }).recovered).toBe(true)
  })
})

const answering = (code: string, answer: string) => ({
  rpc: { batch: () => Promise.resolve([{ result: code }, { result: answer }]) },
})
const yes = `0x1626ba7e${'0'.repeat(56)}`
const factory = stranger.address
const wrapper = { factory, whole: '0xabcd' as const }

describe('who signed a lock', () => {
  const signedBy = (change: object, of: Partial<EscrowAuthorization>) => {
    const one = judged(authorizeBody(info(), { key: stranger.privateKey }))
    return requireSigned({ ...one, network: served(change), ...of })
  }

  test('is its payer by a key, and no chain is asked', async () => {
    const one = judged(authorizeBody(info()))
    expect(await requireSigned(one)).toMatchObject({ collected: one.signature, deploys: false })
  })

  test('is a wallet that says so; what it came in is left out', async () => {
    const signed = await signedBy(answering('0x60', yes), { wrapper })
    expect(signed).toMatchObject({ collected: signed.signature, deploys: false })
  })

  test('is a wallet that one of our factories puts up', async () => {
    const known = { ...answering('0x', '0x'), walletFactories: new Set([factory]) }
    expect(await signedBy(known, { wrapper })).toMatchObject({ collected: '0xabcd', deploys: true })
  })

  test.each<readonly [what: string, change: object, of: Partial<EscrowAuthorization>, message: string]>([
    ['a wallet that says no', answering('0x60', '0x'), {}, 'not signed by its payer'],
    ['a wallet that says no, in a wrapper', answering('0x60', '0x'), { wrapper }, 'not signed by its payer'],
    ['nobody', answering('0x', '0x'), {}, 'not signed by its payer'],
    [
      'a wallet of a factory that is not ours',
      answering('0x', '0x'),
      { wrapper },
      `does not call the factory ${factory}`,
    ],
  ])('is not %s', async (_what, change, of, message) => {
    await expect(signedBy(change, of)).rejects.toEqual(refused('invalid_signature', message))
  })
})

describe('a simulated lock', () => {
  const simulated = async (answer: Simulation) => {
    const one = await requireSigned(judged(authorizeBody(info())))
    return simulateAuthorize({ ...one, network: served({ simulator: { simulate: () => Promise.resolve(answer) } }) })
  }

  test('goes while it costs no more than a payment may', async () => {
    expect(await simulated({ gas: 1n })).toBeUndefined()
    expect(await simulated({ gas: 1n, spends: 2_000_000 })).toBeUndefined()
    const dear = 'Contract call failed: it would cost more than 2000000 gas'
    expect(await simulated({ gas: 1n, spends: 2_000_001 })).toEqual(refused('ContractCall', `^${dear}$`))
  })

  test('that fails says why, in the words of the specification', async () => {
    const operator = addresses.operator
    for (const [code, message] of [
      ['PaymentInfoInvalid', 'PaymentInfo validation failed: why'],
      ['ContractCall', `Contract call failed: why (operator=${operator})`],
      ['insufficient_balance', 'insufficient_balance: why'],
    ] as const) {
      expect(await simulated({ revert: { code, reason: 'why' } })).toMatchObject({ code, message })
      expect(refuseRevert(operator)({ code, reason: 'why' })).toMatchObject({ code, message, status: 400 })
    }
  })
})
