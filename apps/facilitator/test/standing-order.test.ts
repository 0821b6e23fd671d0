import { localChainId } from '@ergon/contracts'
import {
  anyPayment,
  bytesToHex,
  paymentInfoHash,
  standingOrderDigest,
  standingOrderToWire,
  standingRevocationDigest,
  type PaymentInfo,
  type StandingOrder,
} from '@ergon/protocols'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandingBook } from '../src/store/postgres-standing.ts'
import {
  addresses,
  aPaymentInfo,
  authorizeBody,
  lifecycleAuth,
  lifecycleBody,
  nowSec,
  payer,
  randomHex32,
  sign,
  stranger,
  worker,
} from '../src/testing/payments.ts'
import { balanceOf, startRig, type Answer, type Rig } from './harness.ts'

/** What one signature of the payer lets through, on a real chain (decision 0124). */
let rig: Rig
let pool: Pool
beforeAll(async () => {
  rig = await startRig()
  pool = new Pool({ connectionString: rig.databaseUrl, max: 3 })
})
afterAll(async () => {
  await pool.end()
  await rig[Symbol.asyncDispose]()
})

/** Without any role of its own: what it may do, the order lets it. */
const spender = stranger

const anOrder = (change: Partial<StandingOrder> = {}): StandingOrder => ({
  payer: payer.address,
  spender: spender.address,
  operator: addresses.operator,
  token: addresses.token,
  maxPerRelease: 1_000_000n,
  maxTotal: 3_000_000n,
  maxCount: 3,
  notBefore: nowSec() - 60,
  notAfter: nowSec() + 900,
  nonce: randomHex32(),
  payment: anyPayment,
  ...change,
})

const wireOf = (order: StandingOrder, key = payer.privateKey, chainId = localChainId): Record<string, unknown> => ({
  ...standingOrderToWire(order, sign(standingOrderDigest(order, chainId), key)),
})

async function locked(change: Partial<PaymentInfo> = {}): Promise<PaymentInfo> {
  const info = aPaymentInfo(change)
  expect((await rig.post('/settle', authorizeBody(info))).body['success']).toBe(true)
  return info
}

/** A release asked for by the spender, with the order beside it. */
function body(
  info: PaymentInfo,
  order: Record<string, unknown> | undefined,
  {
    amount = info.maxAmount,
    action = 'release' as const,
  }: { amount?: bigint; action?: 'release' | 'refundInEscrow' } = {},
): { readonly payload: Record<string, unknown> } & Record<string, unknown> {
  const auth = lifecycleAuth(action, info, amount, { key: spender.privateKey, signer: spender.address })
  const whole = lifecycleBody(action, info, amount, auth)
  const payload = whole['payload'] as Record<string, unknown> // made above
  return { ...whole, payload: { ...payload, ...(order === undefined ? {} : { standingOrder: order }) } }
}

const settle = (asked: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  rig.post('/settle', asked, headers)
const refused = (category: string) => ({
  status: 400,
  body: { success: false, errorCode: 'LifecycleAuthRejected', category },
})
async function countOf(order: StandingOrder): Promise<{ readonly uses: number; readonly spent: string }> {
  const { rows } = await pool.query<{ uses: number; spent: string }>(
    'select uses, spent::text from standing_orders where order_hash = $1',
    [bytesToHex(standingOrderDigest(order, localChainId))],
  )
  return rows[0] ?? { uses: 0, spent: '0' }
}
const paid = (): Promise<bigint> => balanceOf(rig.rpcUrl, worker.address)
/** What 1 USD pays the worker: 13 % is the fee. */
const payout = 870_000n

test('a release under the order of the payer moves the money, by a key that may order nothing by itself', async () => {
  const [info, order, before] = [await locked(), anOrder(), await paid()]
  expect(await settle(body(info, undefined))).toMatchObject(refused('unauthorized_role'))
  expect(await paid()).toBe(before)
  expect(await settle(body(info, wireOf(order)))).toMatchObject({ status: 200, body: { success: true } })
  expect(await paid()).toBe(before + payout)
  expect(await countOf(order)).toEqual({ uses: 1, spent: '1000000' })
})

test('an order for one payment lets that payment through and no other', async () => {
  const [info, other, before] = [await locked(), await locked(), await paid()]
  const order = anOrder({ payment: paymentInfoHash(info, localChainId, addresses.escrow) })
  expect(await settle(body(other, wireOf(order)))).toMatchObject(refused('standing_payment'))
  expect(await paid()).toBe(before)
  expect((await settle(body(info, wireOf(order)))).body['success']).toBe(true)
  expect(await paid()).toBe(before + payout)
})

describe('a release past a bound is refused, moves nothing and counts nothing:', () => {
  let info: PaymentInfo
  beforeAll(async () => {
    info = await locked()
  })

  test.each<[string, string, () => Partial<StandingOrder>]>([
    ['of another payer', 'standing_payer', () => ({ payer: worker.address })],
    ['asked for by another key', 'standing_spender', () => ({ spender: worker.address })],
    ['through another operator', 'standing_operator', () => ({ operator: worker.address })],
    ['in another token', 'standing_token', () => ({ token: worker.address })],
    ['of another payment', 'standing_payment', () => ({ payment: randomHex32() })],
    ['before it holds', 'standing_not_yet', () => ({ notBefore: nowSec() + 60 })],
    ['at its end', 'standing_over', () => ({ notAfter: nowSec() })],
    ['under an order for more than a year', 'standing_too_long', () => ({ notAfter: nowSec() + 367 * 86_400 })],
    ['one unit above the most', 'standing_amount', () => ({ maxPerRelease: 999_999n })],
    ['one unit above the sum', 'standing_spent', () => ({ maxTotal: 999_999n })],
    ['under an order for no release', 'standing_spent', () => ({ maxCount: 0 })],
  ])('%s', async (_what, category, change) => {
    const [order, before] = [anOrder(change()), await paid()]
    expect(await settle(body(info, wireOf(order)))).toMatchObject(refused(category))
    expect(await paid()).toBe(before)
    expect(await countOf(order)).toEqual({ uses: 0, spent: '0' })
  })

  test('in parts, of a payment above the most', async () => {
    const order = anOrder({ maxPerRelease: 600_000n })
    expect(await settle(body(info, wireOf(order), { amount: 500_000n }))).toMatchObject(refused('standing_amount'))
  })

  test.each<[string, () => Record<string, unknown>]>([
    ['signed by another wallet', () => wireOf(anOrder(), spender.privateKey)],
    ['signed for another chain', () => wireOf(anOrder(), payer.privateKey, 8453)],
    ['changed after it was signed', () => ({ ...wireOf(anOrder()), maxCount: 4 })],
  ])('under an order %s', async (_what, wire) => {
    expect(await settle(body(info, wire()))).toMatchObject(refused('standing_signature'))
  })

  test('a refund', async () => {
    const asked = body(info, wireOf(anOrder()), { action: 'refundInEscrow' })
    expect(await settle(asked)).toMatchObject(refused('standing_action'))
  })

  test.each<[string, (wire: Record<string, unknown>) => unknown]>([
    ['a member too many', (wire) => ({ ...wire, more: 1 })],
    ['no nonce', ({ nonce: _dropped, ...wire }) => wire],
    ['a sum as a number', (wire) => ({ ...wire, maxTotal: 1 })],
    ['more releases than any order may have', (wire) => ({ ...wire, maxCount: 1_001 })],
    ['text', () => 'an order'],
  ])('under an order that cannot be read: %s', async (_what, change) => {
    const asked = body(info, change(wireOf(anOrder())) as Record<string, unknown>) // what is read is what is tested
    expect(await settle(asked)).toMatchObject({ status: 400, body: { errorCode: 'invalid_payload' } })
  })
})

test('the sum and the count are over all payments of an order', async () => {
  const [first, second, third] = [await locked(), await locked(), await locked()]
  const [bySum, byCount] = [anOrder({ maxTotal: 1_999_999n }), anOrder({ maxCount: 1 })]
  expect((await settle(body(first, wireOf(bySum)))).body['success']).toBe(true)
  expect(await settle(body(second, wireOf(bySum)))).toMatchObject(refused('standing_spent'))
  expect((await settle(body(second, wireOf(byCount)))).body['success']).toBe(true)
  expect(await settle(body(third, wireOf(byCount)))).toMatchObject(refused('standing_spent'))
  // The same words under another nonce are another order.
  expect((await settle(body(third, wireOf({ ...byCount, nonce: randomHex32() })))).body['success']).toBe(true)
})

test('a replay neither counts nor pays twice, in whatever form it comes', async () => {
  const [info, order, before] = [await locked(), anOrder(), await paid()]
  const asked = body(info, wireOf(order), { amount: 400_000n })
  const first = await settle(asked)
  expect(first.body['success']).toBe(true)
  // As it was; with a fresh lifecycle order; with what is left of the payment.
  const again = [
    asked,
    body(info, wireOf(order), { amount: 400_000n }),
    body(info, wireOf(order), { amount: 600_000n }),
  ]
  for (const one of again) expect(await settle(one)).toMatchObject(refused('replayed'))
  expect(await paid()).toBe(before + 348_000n)
  expect(await countOf(order)).toEqual({ uses: 1, spent: '400000' })
})

test('under one Idempotency-Key it is one release, also when the order has no room any more', async () => {
  const [info, order] = [await locked(), anOrder({ maxCount: 1, maxTotal: 1_000_000n })]
  const [asked, key] = [body(info, wireOf(order)), { 'idempotency-key': `test-${randomHex32()}` }]
  const first = await settle(asked, key)
  expect(first.body['success']).toBe(true)
  expect((await settle(asked, key)).body).toMatchObject({ success: true, transaction: first.body['transaction'] })
  expect(await countOf(order)).toEqual({ uses: 1, spent: '1000000' })
})

test('ten requests at once about one payment pay and count once', async () => {
  const [info, order, before] = [await locked(), anOrder(), await paid()]
  const asked = body(info, wireOf(order))
  const answers = await Promise.all(Array.from({ length: 10 }, () => settle(asked)))
  expect(new Set(answers.map((answer) => answer.body['transaction'])).size).toBe(1)
  expect(await paid()).toBe(before + payout)
  expect(await countOf(order)).toEqual({ uses: 1, spent: '1000000' })
})

test('eight payments at once under an order for three: three are paid', async () => {
  const [order, before] = [anOrder({ maxTotal: 100_000_000n }), await paid()]
  const infos = await Promise.all(Array.from({ length: 8 }, () => locked()))
  const answers = await Promise.all(infos.map((info) => settle(body(info, wireOf(order)))))
  expect(answers.filter((answer) => answer.body['success'] === true)).toHaveLength(3)
  expect(answers.filter((answer) => answer.body['category'] === 'standing_spent')).toHaveLength(5)
  expect(await paid()).toBe(before + 3n * payout)
  expect(await countOf(order)).toEqual({ uses: 3, spent: '3000000' })
})

test('what the chain would refuse takes no place', async () => {
  const order = anOrder({ maxCount: 1 })
  // Never put into escrow.
  expect((await settle(body(aPaymentInfo(), wireOf(order)))).body['success']).toBe(false)
  expect(await countOf(order)).toEqual({ uses: 0, spent: '0' })
  expect((await settle(body(await locked(), wireOf(order)))).body['success']).toBe(true)
})

describe('an order that was taken back', () => {
  const asked = (order: StandingOrder, key = payer.privateKey, change: object = {}) => ({
    network: 'localnet',
    standingOrder: wireOf(order),
    signature: sign(standingRevocationDigest(bytesToHex(standingOrderDigest(order, localChainId)), localChainId), key),
    ...change,
  })
  const revoke = (body: unknown): Promise<Answer> => rig.post('/standing-orders/revoke', body)

  test.each([
    ['its payer', payer.privateKey],
    ['its spender', spender.privateKey],
  ])('by %s lets nothing through any more, before its first use and after', async (_who, key) => {
    const [first, second, used, unused] = [await locked(), await locked(), anOrder(), anOrder()]
    expect((await settle(body(first, wireOf(used)))).body['success']).toBe(true)
    const before = await paid()
    for (const order of [used, unused]) {
      const answer = { revoked: true, order: bytesToHex(standingOrderDigest(order, localChainId)), pending: 0 }
      // A second one changes nothing.
      for (const _round of [1, 2]) expect(await revoke(asked(order, key))).toMatchObject({ status: 200, body: answer })
      expect(await settle(body(second, wireOf(order)))).toMatchObject(refused('standing_revoked'))
    }
    expect(await paid()).toBe(before)
    // Another order of the same payer holds as before.
    expect((await settle(body(second, wireOf(anOrder())))).body['success']).toBe(true)
  })

  test('outlives a restart, and a server that says nothing of it', async () => {
    const [info, order] = [await locked(), anOrder()]
    await revoke(asked(order))
    const book = createStandingBook(pool)
    const use = { order: bytesToHex(standingOrderDigest(order, localChainId)), payment: randomHex32() }
    const rest = { network: 'localnet', payer: payer.address, amount: 1n, maxTotal: 9n, maxCount: 9 }
    expect(await book.hold({ ...use, ...rest, notAfter: order.notAfter, onceKey: 'standing:x' })).toBe('revoked')
    await book.purge(100)
    expect(await settle(body(info, wireOf(order)))).toMatchObject(refused('standing_revoked'))
  })

  test('has no place left for an attempt that nobody knows the end of', async () => {
    const [book, order] = [createStandingBook(pool), anOrder()]
    const hash = bytesToHex(standingOrderDigest(order, localChainId))
    const use = { order: hash, network: 'localnet', payer: payer.address, payment: randomHex32(), amount: 1n }
    const whole = { ...use, maxTotal: 9n, maxCount: 9, notAfter: order.notAfter, onceKey: `standing:${hash}` }
    expect(await book.hold(whole)).toBe('held')
    expect((await revoke(asked(order))).body).toMatchObject({ revoked: true, pending: 1 })
    expect(await book.hold(whole)).toBe('revoked')
    await book.drop(whole)
    expect(await book.hold(whole)).toBe('revoked')
  })

  test.each([
    ['by a stranger', () => asked(anOrder(), worker.privateKey), 'invalid_signature'],
    [
      'by a signature for another order',
      () => asked(anOrder(), payer.privateKey, { signature: asked(anOrder()).signature }),
      'invalid_signature',
    ],
    [
      'of an order that its payer did not sign',
      () => asked(anOrder(), payer.privateKey, { standingOrder: wireOf(anOrder(), worker.privateKey) }),
      'invalid_signature',
    ],
    ['of an order that is over', () => asked(anOrder({ notAfter: nowSec() - 1 })), 'standing_over'],
    ['of an order for ever', () => asked(anOrder({ notAfter: nowSec() + 400 * 86_400 })), 'standing_too_long'],
    [
      'on a network nobody serves',
      () => asked(anOrder(), payer.privateKey, { network: 'atlantis' }),
      'UnsupportedNetwork',
    ],
    ['of nothing', () => asked(anOrder(), payer.privateKey, { standingOrder: null }), 'invalid_payload'],
  ])('is not taken back %s', async (_how, make, errorCode) => {
    expect(await revoke(make())).toMatchObject({ status: 400, body: { revoked: false, errorCode } })
  })

  test('strangers who make orders up fill no table', async () => {
    const answers: number[] = []
    for (let round = 0; round < 330 && answers.at(-1) !== 429; round += 1)
      answers.push((await revoke(asked(anOrder()))).status)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('the book', () => {
  const use = (change: object = {}) => ({
    order: randomHex32(),
    network: 'localnet',
    payer: payer.address,
    payment: randomHex32(),
    amount: 5n,
    maxTotal: 10n,
    maxCount: 2,
    notAfter: nowSec() + 900,
    onceKey: `standing:${randomHex32()}`,
    ...change,
  })
  const uses = async (order: string): Promise<number | undefined> =>
    (await pool.query<{ uses: number }>('select uses from standing_orders where order_hash = $1', [order])).rows[0]
      ?.uses

  test('a place that two attempts hold is given back by the last of them, and never once money moved', async () => {
    const [book, one] = [createStandingBook(pool), use()]
    expect([await book.hold(one), await book.hold(one)]).toEqual(['held', 'held'])
    await book.drop(one)
    expect(await uses(one.order)).toBe(1)
    await book.drop(one)
    expect(await uses(one.order)).toBe(0)
    await book.hold(one)
    await book.keep(one)
    await book.drop(one)
    await book.drop(one)
    expect(await uses(one.order)).toBe(1)
    expect(await book.hold({ ...one, amount: 6n })).toBe('other')
  })

  test('an attempt that ended without a word is decided after two days, by whether it left a transaction', async () => {
    const [book, lost, sent] = [createStandingBook(pool), use(), use()]
    const order = anOrder()
    const info = await locked()
    expect((await settle(body(info, wireOf(order)))).body['success']).toBe(true)
    const [row] = (
      await pool.query<{ once_key: string }>(`select once_key from intents where once_key like 'standing:%' limit 1`)
    ).rows
    for (const one of [lost, { ...sent, onceKey: row?.once_key ?? '' }]) await book.hold(one)
    await book.purge(100)
    expect([await uses(lost.order), await uses(sent.order)]).toEqual([1, 1])
    await pool.query(`update standing_uses set reserved_at = reserved_at - interval '2 days'`)
    await book.purge(100)
    expect([await uses(lost.order), await uses(sent.order)]).toEqual([0, 1])
  })

  test('an order is forgotten a month after its end', async () => {
    const [book, old] = [createStandingBook(pool), use({ notAfter: nowSec() - 31 * 86_400 })]
    await book.hold(old)
    await book.purge(100)
    expect(await uses(old.order)).toBeUndefined()
  })
})
