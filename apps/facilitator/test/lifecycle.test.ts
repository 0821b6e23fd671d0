import { bytesToHex, lifecycleOrderDigest, type PaymentInfo } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRig, type Rig } from './harness.ts'
import {
  account,
  aPaymentInfo,
  authorizeBody,
  lifecycleAuth,
  lifecycleBody,
  nowSec,
  payer,
  randomHex32,
  refundBody,
  releaseBody,
  service,
  sign,
  stranger,
  treasury,
  worker,
  type OrderOverrides,
  type Step,
} from '../src/testing/payments.ts'
import { isForgettable, judgeOrder, judgeRole } from '../src/settle/lifecycle.ts'

const half = 500_000n
const by = (who: { privateKey: `0x${string}`; address: `0x${string}` }): OrderOverrides => ({
  key: who.privateKey,
  signer: who.address,
})

describe('a lifecycle order in enforce mode', () => {
  let rig: Rig
  let info: PaymentInfo
  beforeAll(async () => {
    rig = await startRig()
    info = aPaymentInfo()
    expect((await rig.post('/settle', authorizeBody(info))).body['success']).toBe(true)
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  test.each<[string, string, Step, () => OrderOverrides | undefined]>([
    ['is missing', 'missing', 'release', () => undefined],
    ['is expired', 'expired', 'release', () => ({ deadline: nowSec() - 1 })],
    ['has a deadline more than 900 s ahead', 'deadline_too_far', 'release', () => ({ deadline: nowSec() + 1_000 })],
    ['names another signer than signed', 'bad_signature', 'release', () => ({ signer: service.address })],
    ['was signed for another amount', 'bad_signature', 'release', () => ({ amount: 1n })],
    ['was signed for another action', 'bad_signature', 'refundInEscrow', () => ({ action: 'release' })],
    ["is the payee's own wish to be paid", 'unauthorized_role', 'release', () => by(worker)],
    ["is a stranger's", 'unauthorized_role', 'release', () => by(stranger)],
    ["is the payer's wish to have it back early", 'unauthorized_role', 'refundInEscrow', () => by(payer)],
    ["is a stranger's wish to refund", 'unauthorized_role', 'refundInEscrow', () => by(stranger)],
  ])('that %s is refused as %s and moves nothing', async (_what, category, action, overrides) => {
    const chosen = overrides()
    const auth = chosen === undefined ? undefined : lifecycleAuth(action, info, half, chosen)
    const answer = await rig.post('/settle', lifecycleBody(action, info, half, auth))
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, errorCode: 'LifecycleAuthRejected', category },
    })
  })

  test.each<[string, Step, OrderOverrides]>([
    ['release by the payer', 'release', by(payer)],
    ["release by the operator's owner", 'release', by(treasury)],
    ['release by a delegate', 'release', by(service)],
    ['refund by the payee', 'refundInEscrow', by(worker)],
    ["refund by the operator's owner", 'refundInEscrow', by(treasury)],
    ['refund by a delegate', 'refundInEscrow', by(service)],
  ])('%s is carried out', async (_what, action, overrides) => {
    expect(
      await rig.post('/settle', lifecycleBody(action, info, 1_000n, lifecycleAuth(action, info, 1_000n, overrides))),
    ).toMatchObject({ status: 200, body: { success: true } })
  })

  test('is spent once: the same order later is refused as replayed and names the transaction', async () => {
    const body = releaseBody(info, 2_000n)
    const first = await rig.post('/settle', body)
    expect(first.body['success']).toBe(true)
    expect(await rig.post('/settle', body)).toMatchObject({
      status: 400,
      body: { category: 'replayed', transaction: first.body['transaction'] },
    })
  })

  test('that was refused for its role keeps its nonce', async () => {
    const nonce = randomHex32()
    expect((await rig.post('/settle', releaseBody(info, 3_000n, { ...by(stranger), nonce }))).body).toMatchObject({
      category: 'unauthorized_role',
    })
    expect((await rig.post('/settle', releaseBody(info, 3_000n, { nonce }))).body).toMatchObject({ success: true })
  })

  test('races ten times and moves the money once', async () => {
    const body = refundBody(info, 4_000n)
    const answers = await Promise.all(Array.from({ length: 10 }, () => rig.post('/settle', body)))
    const transactions = new Set(answers.map((answer) => answer.body['transaction']))
    expect(transactions.size).toBe(1)
    expect(answers.some((answer) => answer.status === 200)).toBe(true)
  })
})

describe('the mode of lifecycle enforcement', () => {
  test.each(['log', 'off'])('%s lets a step without an order through', async (mode) => {
    await using rig = await startRig({ FACILITATOR_LIFECYCLE_MODE: mode })
    const info = aPaymentInfo()
    await rig.post('/settle', authorizeBody(info))
    expect(await rig.post('/settle', lifecycleBody('release', info, half, undefined))).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await rig.post('/settle', lifecycleBody('release', info, half, undefined))).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})

test.each<[boolean, string, { amount?: bigint; deadline?: number; now?: number; at?: number }]>([
  [true, 'a part whose order may have been taken before', {}],
  [true, 'a part whose order was taken right before, for as long as it may last', { deadline: 10_900, now: 10_899 }],
  [false, 'a part whose order was taken after', { deadline: 10_901, now: 10_001 }],
  [false, 'the whole, which the chain moves once', { amount: 1_000_000n }],
  [true, 'a part without an order, soon after', { deadline: 0, now: 10_900 }],
  [false, 'a part without an order, later', { deadline: 0, now: 10_901 }],
  [false, 'a part, where nothing was ever forgotten', { at: 0 }],
])('after the store went back it is %s that it may have been carried out: %s', (expected, _what, given) => {
  const { amount = half, deadline = 10_600, now = 10_010, at = 10_000 } = given
  const auth =
    deadline === 0 ? undefined : ({ signer: payer.address, deadline, nonce: '0x00', signature: '0x00' } as const)
  const step = { action: 'release', amount, info: aPaymentInfo() } as const
  expect(isForgettable(step, auth, { wentBackAt: () => (at === 0 ? undefined : at) }, now)).toBe(expected)
})

describe('the published order', () => {
  // facts §3.1: chain 8453, key 0x11 thirty-two times.
  const info: PaymentInfo = {
    operator: '0x271f9fa7f8907acf178ccfb470076d9129d8f0eb',
    payer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
    receiver: `0x${'22'.repeat(20)}`,
    token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    maxAmount: 1_000_000n,
    preApprovalExpiry: 1_757_003_600,
    authorizationExpiry: 1_757_007_200,
    refundExpiry: 1_759_592_000,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: '0xae07ceb6b395bc685a776a0b4c489e8d9ce9a6ad',
    salt: 12_345n,
  }
  const nonce = `0x${'01'.repeat(32)}` as const
  const digest = lifecycleOrderDigest(
    { action: 'release', amount: 1_000_000n, deadline: 1_757_000_600, nonce, paymentInfo: info },
    8453,
  )
  const signature = sign(digest, `0x${'11'.repeat(32)}`)

  test('has the published digest and signature', () => {
    expect(bytesToHex(digest)).toBe('0x3dbd8a90a80785131a198a685f9f7400b1bf9a48d998e3aa1853abae56921918')
    expect(signature).toMatch(/^0x78fe1438.*a71c$/)
  })

  test('is accepted until its deadline and not at it', () => {
    const auth = { signer: info.payer, deadline: 1_757_000_600, nonce, signature }
    const step = { action: 'release', amount: 1_000_000n, info } as const
    expect(judgeOrder(auth, step, 8453, 1_757_000_599)).toBeUndefined()
    expect(judgeOrder(auth, step, 8453, 1_757_000_600)?.details).toMatchObject({ category: 'expired' })
    expect(judgeOrder(auth, step, 1, 1_757_000_599)?.details).toMatchObject({ category: 'bad_signature' })
  })

  test('lets the payer refund from authorizationExpiry on', () => {
    const auth = { signer: info.payer, deadline: 0, nonce, signature }
    const step = { action: 'refundInEscrow', amount: 1n, info } as const
    const escrow = {
      escrow: info.token,
      collector: info.token,
      operator: info.operator,
      operatorAbi: 'legacy',
      owner: account(2).address,
    } as const
    expect(judgeRole(auth, step, escrow, [], info.authorizationExpiry - 1)?.details).toMatchObject({
      category: 'unauthorized_role',
    })
    expect(judgeRole(auth, step, escrow, [], info.authorizationExpiry)).toBeUndefined()
  })
})
