import {
  anyPayment,
  bytesToHex,
  expectAuthorized,
  expectCaptured,
  expectVoided,
  paymentInfoHash,
  refundCalldata,
  releaseCalldata,
  standingOrderDigest,
  standingOrderToWire,
  type PaymentInfo,
  type StandingOrder,
} from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { deployingLockShare, lockShare, partShare } from '../../src/gas/gas-share.ts'
import { createElapsed } from '../../src/settle/elapsed.ts'
import { planEscrow } from '../../src/settle/escrow.ts'
import type { LifecycleRules } from '../../src/settle/lifecycle.ts'
import {
  addresses,
  aPaymentInfo,
  authorizeBody,
  lifecycleAuth,
  lifecycleBody,
  payer,
  randomHex32,
  refundBody,
  releaseBody,
  service,
  sign,
  stranger,
  worker,
} from '../../src/testing/payments.ts'
import { readEnvelope } from '../../src/wire/envelope.ts'
import { networksOf, now, served } from './served.ts'

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
const refused = (code: string, message?: RegExp | string): unknown =>
  expect.objectContaining({
    code,
    status: 400,
    ...(message === undefined ? {} : { message: expect.stringMatching(message) as string }),
  })
const answering = (code: string, answer: string) => ({
  rpc: { batch: () => Promise.resolve([{ result: code }, { result: answer }]) },
})
const factory = stranger.address

const planned = (body: unknown, rules: Partial<LifecycleRules> = {}, on = networks) => {
  const noted: string[] = []
  const all: LifecycleRules = {
    mode: 'enforce',
    delegates: [service.address],
    onUnorderly: (category) => noted.push(category),
    ...rules,
  }
  return planEscrow(readEnvelope(body), on, { requestHash: 'h', idempotencyKey: 'k' }, all, now).then((plan) => ({
    ...plan,
    noted,
  }))
}

describe('the plan of a lock', () => {
  test('may happen once for its terms, proves itself by the event, and counts with its end', async () => {
    const one = info()
    const hash = paymentInfoHash(one, chainId, addresses.escrow)
    const { draft, ...parties } = await planned(authorizeBody(one))
    expect(parties).toMatchObject({ payer: payer.address, payee: worker.address })
    expect(draft).toMatchObject({
      kind: 'authorize',
      onceKey: `authorize:${hash}`,
      sameness: hash,
      requestHash: 'h',
      idempotencyKey: 'k',
      conflictKeys: [`payment:${hash}`],
      call: { to: addresses.operator },
      expectations: [expectAuthorized(addresses.escrow, hash, one.maxAmount)],
      gas: lockShare(payer.address),
    })
    expect(draft.spent('0x5')).toMatchObject({ code: 'nonce_already_used', details: { transaction: '0x5' } })
    expect(draft.refuse({ code: 'ContractCall', reason: 'why' }).message).toContain(`operator=${addresses.operator}`)
  })

  test('that puts up a wallet counts more', async () => {
    const word = (hex: string | number): string => (typeof hex === 'number' ? hex.toString(16) : hex).padStart(64, '0')
    const tail = (hex: string): string => word(hex.length / 2) + hex.padEnd(64, '0')
    const signature =
      `0x${word(factory.slice(2))}${word(96)}${word(160)}${tail('ab')}${tail('12')}${'6492'.repeat(16)}` as const
    const on = networksOf(served({ ...answering('0x', '0x'), walletFactories: new Set([factory]) }))
    const { draft } = await planned(authorizeBody(info(), { signature }), {}, on)
    expect(draft.gas).toEqual(deployingLockShare(payer.address))
  })

  test('is what is ordered without a word, and nothing that is not known', async () => {
    expect((await planned({ ...authorizeBody(info()), action: undefined })).draft.kind).toBe('authorize')
    await expect(planned({ ...authorizeBody(info()), action: 'charge' })).rejects.toMatchObject({
      code: 'UnknownAction',
      message: 'Unknown operator action: charge',
      details: { valid_actions: ['authorize', 'release', 'refundInEscrow'] },
    })
  })
})

const soon = { deadline: now + 600 }

describe('the plan of an end', () => {
  const one = info()
  const hash = paymentInfoHash(one, chainId, addresses.escrow)

  test('of a release pays out, once for its order', async () => {
    const nonce = randomHex32()
    const { draft, payee, payer: from } = await planned(releaseBody(one, 5n, { ...soon, nonce }))
    expect([from, payee]).toEqual([payer.address, worker.address])
    expect(draft).toMatchObject({
      kind: 'release',
      onceKey: `order:${payer.address}:${nonce}`,
      sameness: `release:${hash}:5`,
      conflictKeys: [`payment:${hash}`],
      call: { to: addresses.operator, data: releaseCalldata('create3', one, 5n) },
      expectations: [expectCaptured(addresses.escrow, hash, 5n)],
      gas: partShare(payer.address),
    })
    expect(draft.spent('0x5')).toMatchObject({ details: { category: 'replayed', transaction: '0x5' } })
    expect(draft.guard?.()).toBeUndefined()
  })

  test('of a refund gives back', async () => {
    const { draft } = await planned(refundBody(one, 5n, soon))
    expect(draft).toMatchObject({
      kind: 'refundInEscrow',
      sameness: `refundInEscrow:${hash}:5`,
      call: { data: refundCalldata('create3', one, 5n) },
      expectations: [expectVoided(addresses.escrow, hash, 5n)],
    })
    // Whoever orders a part is counted, and those whom the operator trusts are not.
    const byPayee = { ...soon, key: worker.privateKey, signer: worker.address }
    expect((await planned(refundBody(one, 5n, byPayee))).draft.gas).toEqual(partShare(worker.address))
    expect(draft.gas).toBeUndefined()
  })

  test('is judged for its role when it is about to be sent', async () => {
    const byStranger = { ...soon, key: stranger.privateKey, signer: stranger.address }
    const { draft } = await planned(releaseBody(one, 5n, byStranger))
    expect(draft.guard?.()).toMatchObject({ details: { category: 'unauthorized_role' } })
    const noted: string[] = []
    const log = { mode: 'log', onUnorderly: (category: string) => noted.push(category) } as const
    const logged = await planned(releaseBody(one, 5n, byStranger), log)
    expect([logged.draft.guard?.(), noted]).toEqual([undefined, ['unauthorized_role']])
  })

  test('needs an order where orders are enforced, is told of where they are logged, and asks for none where they are off', async () => {
    const without = lifecycleBody('release', one, 5n, undefined)
    await expect(planned(without)).rejects.toMatchObject({ details: { category: 'missing' } })
    const logged = await planned(without, { mode: 'log' })
    expect([logged.noted, logged.draft.onceKey, logged.draft.gas]).toEqual([
      ['missing'],
      undefined,
      partShare(payer.address),
    ])
    const off = await planned(without, { mode: 'off' })
    expect([off.noted, off.draft.onceKey, off.draft.guard?.()]).toEqual([[], undefined, undefined])
    // A good order counts for nothing where none is asked for.
    expect((await planned(releaseBody(one, 5n, soon), { mode: 'off' })).draft.onceKey).toBeUndefined()
  })

  test('of a part waits while the store may have forgotten it', async () => {
    const went = (at: number) => ({ wentBackAt: () => at })
    const part = await planned(releaseBody(one, 5n, soon), went(now - 300))
    expect(part.draft.guard?.()).toMatchObject({
      code: 'settlement_pending',
      details: { reason: 'database_went_back' },
    })
    const later = await planned(releaseBody(one, 5n, soon), went(now - 301))
    expect(later.draft.guard?.()).toBeUndefined()
  })

  test.each<readonly [code: string, message: string, body: () => Record<string, unknown>]>([
    ['PaymentInfoInvalid', 'amount is zero', () => releaseBody(one, 0n, soon)],
    ['PaymentInfoInvalid', 'amount is above maxAmount', () => releaseBody(one, one.maxAmount + 1n, soon)],
    ['InvalidAmount', 'more than uint120 holds', () => releaseBody(one, 2n ** 120n, soon)],
    ['forbidden_receiver', 'FORBIDDEN_RECEIVER', () => releaseBody(info({ receiver: addresses.token }), 1n, soon)],
    ['invalid_payload', 'payload.payer must be an address', () => changed({ payer: 5 })],
    ['invalid_payload', 'payload.amount must be a decimal', () => changed({ amount: 5 })],
    ['invalid_payload', 'payload.tip must be absent', () => changed({ tip: 5 })],
    ['PaymentInfoInvalid', 'PaymentInfo validation failed', () => changed({ paymentInfo: {} })],
    ['invalid_payload', 'payload must be an object', () => ({ ...releaseBody(one, 5n, soon), payload: [] })],
  ])('is refused as %s: %s', async (code, message, body) => {
    await expect(planned(body())).rejects.toEqual(refused(code, message))
  })

  function changed(change: object): Record<string, unknown> {
    const body = releaseBody(one, 5n, soon)
    return { ...body, payload: { ...(body['payload'] as object), ...change } }
  }

  test('of the largest amount that an escrow holds is read', async () => {
    await expect(planned(releaseBody(one, 2n ** 120n - 1n, soon))).rejects.toEqual(
      refused('PaymentInfoInvalid', 'above'),
    )
  })
})

describe('a release under a standing order', () => {
  const spender = stranger
  const one = info()
  const hash = paymentInfoHash(one, chainId, addresses.escrow)
  const order = (change: Partial<StandingOrder> = {}): StandingOrder => ({
    payer: payer.address,
    spender: spender.address,
    operator: addresses.operator,
    token: addresses.token,
    maxPerRelease: 1_000_000n,
    maxTotal: 3_000_000n,
    maxCount: 3,
    notBefore: now - 60,
    notAfter: now + 900,
    nonce: `0x${'5'.repeat(64)}`,
    payment: anyPayment,
    ...change,
  })
  const wired = (of: StandingOrder, key = payer.privateKey) => ({
    ...standingOrderToWire(of, sign(standingOrderDigest(of, chainId), key)),
  })
  const body = (standingOrder: unknown, action: 'release' | 'refundInEscrow' = 'release', isOrdered = true) => {
    const auth = { ...soon, key: spender.privateKey, signer: spender.address }
    const whole = lifecycleBody(action, one, 5n, isOrdered ? lifecycleAuth(action, one, 5n, auth) : undefined)
    return { ...whole, payload: { ...(whole['payload'] as object), standingOrder } }
  }

  test('is let through once for the payment, counted for its payer, whatever its spender may order', async () => {
    const digest = bytesToHex(standingOrderDigest(order(), chainId))
    const { draft, standing } = await planned(body(wired(order())))
    expect(draft).toMatchObject({ onceKey: `standing:${digest}:${hash}`, gas: partShare(payer.address) })
    expect(draft.guard?.()).toBeUndefined()
    expect(standing).toMatchObject({
      order: digest,
      network: 'localnet',
      payer: payer.address,
      payment: hash,
      amount: 5n,
      maxTotal: 3_000_000n,
      maxCount: 3,
      notAfter: now + 900,
    })
  })

  test.each<readonly [category: string, make: () => Record<string, unknown>]>([
    ['standing_action', () => body(wired(order()), 'refundInEscrow')],
    ['standing_signature', () => body(wired(order(), stranger.privateKey))],
  ])('is refused as %s', async (category, make) => {
    const on = networksOf(served(answering('0x', '0x')))
    await expect(planned(make(), {}, on)).rejects.toMatchObject({ details: { category } })
  })

  test('needs an order of its spender, and is read whole', async () => {
    const log = { mode: 'log' } as const
    await expect(planned(body(wired(order()), 'release', false), log)).rejects.toMatchObject({
      details: { category: 'standing_unordered' },
    })
    await expect(planned(body({}))).rejects.toEqual(refused('invalid_payload'))
    for (const none of [null, undefined]) expect((await planned(body(none))).standing).toBeUndefined()
    expect((await planned(body(wired(order())), { mode: 'off' })).standing).toBeUndefined()
  })

  test('is judged by the clock of its operator, where that let time pass', async () => {
    const elapsed = (seconds: number) => ({ elapsed: (of: string) => (of === hash ? seconds : 0) })
    expect((await planned(body(wired(order())), elapsed(899))).standing).toBeDefined()
    await expect(planned(body(wired(order())), elapsed(900))).rejects.toMatchObject({ code: 'LifecycleAuthRejected' })
  })
})

test('the clocks of a thousand payments are kept, the oldest is forgotten first', () => {
  const elapsed = createElapsed()
  const hashes = Array.from({ length: 1_001 }, () => randomHex32())
  const [first = '0x', second = '0x'] = hashes
  for (const hash of hashes.slice(0, 1_000)) elapsed.add(hash, 1)
  expect(elapsed.add(first, 2)).toBe(3)
  expect(elapsed.of(second)).toBe(1)
  elapsed.add(hashes.at(-1) ?? '0x', 1)
  expect([elapsed.of(first), elapsed.of(second), elapsed.of(hashes[2] ?? '0x')]).toEqual([3, 0, 1])
})
