import { describe, expect, test } from 'vitest'
import type { ServedNetwork } from '../../src/network/served-network.ts'
import {
  isForgettable,
  isTrusted,
  judgeOrder,
  judgeRole,
  judgeSigned,
  readLifecycleAuth,
  type LifecycleAuth,
  type LifecycleStep,
} from '../../src/settle/lifecycle.ts'
import {
  aPaymentInfo,
  lifecycleAuth,
  payer,
  randomHex32,
  service,
  stranger,
  treasury,
  worker,
  type OrderOverrides,
  type Step,
} from '../../src/testing/payments.ts'
import { escrow, now, served } from './served.ts'

const chainId = 31_337
const info = aPaymentInfo({ authorizationExpiry: now + 100 })
const delegates = [service.address]
const stepOf = (action: Step, amount = 5n): LifecycleStep => ({ action, amount, info })
const signed = (action: Step = 'release', change: OrderOverrides = {}): LifecycleAuth => {
  const auth = readLifecycleAuth(lifecycleAuth(action, info, 5n, { deadline: now + 600, ...change }))
  if (auth === undefined) throw new Error('an order')
  return auth
}
const by = (signer: LifecycleAuth['signer']): LifecycleAuth => ({ ...signed(), signer })
const categoryOf = (fault: { readonly details: Readonly<Record<string, unknown>> } | undefined): unknown =>
  fault?.details['category']

describe('an order that is read', () => {
  test.each([undefined, null])('as %s is none', (value) => {
    expect(readLifecycleAuth(value)).toBeUndefined()
  })

  test('has four fields in small letters, and a signature that a contract may have made', () => {
    const auth = {
      signer: payer.address.toUpperCase().replace('0X', '0x'),
      deadline: 0,
      nonce: `0x${'AB'.repeat(32)}`,
      signature: `0x${'CD'.repeat(8_192)}`,
    }
    expect(readLifecycleAuth(auth)).toEqual({
      signer: payer.address,
      deadline: 0,
      nonce: `0x${'ab'.repeat(32)}`,
      signature: `0x${'cd'.repeat(8_192)}`,
    })
  })

  test.each([
    ['signer', '0x1', 'lifecycleAuth.signer must be'],
    ['deadline', '5', 'lifecycleAuth.deadline must be'],
    ['deadline', 2 ** 53, 'lifecycleAuth.deadline must be'],
    ['nonce', '0x1', 'lifecycleAuth.nonce must be'],
    ['signature', `0x${'00'.repeat(8_193)}`, 'lifecycleAuth.signature must be'],
    ['amount', '1', 'payload.lifecycleAuth.amount must be absent'],
  ])('with another %s is refused', (name, value, message) => {
    const auth = { ...lifecycleAuth('release', info, 5n), [name]: value }
    expect(() => readLifecycleAuth(auth)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    expect(() => readLifecycleAuth(auth)).toThrow(message)
  })

  test('as a text is refused by its place', () => {
    expect(() => readLifecycleAuth('order')).toThrow('payload.lifecycleAuth must be an object')
  })
})

describe('an order by itself', () => {
  const judged = (auth: LifecycleAuth | undefined, step = stepOf('release')) => judgeOrder(auth, step, chainId, now)

  test('is good from the next second to 900 seconds ahead', () => {
    for (const deadline of [now + 1, now + 900]) expect(judged(signed('release', { deadline }))).toBeUndefined()
  })

  test.each<readonly [category: string, text: string, auth: () => LifecycleAuth | undefined]>([
    ['missing', 'LIFECYCLE_ORDER_REQUIRED', () => undefined],
    ['expired', 'past its deadline', () => signed('release', { deadline: now })],
    ['deadline_too_far', 'at most 900 seconds ahead', () => signed('release', { deadline: now + 901 })],
    ['bad_signature', 'not signed by its signer', () => signed('release', { key: stranger.privateKey })],
    ['bad_signature', 'not signed by its signer', () => signed('release', { amount: 6n })],
    ['bad_signature', 'not signed by its signer', () => signed('release', { action: 'refundInEscrow' })],
    ['bad_signature', 'not signed by its signer', () => ({ ...signed(), nonce: randomHex32() })],
    ['bad_signature', 'not signed by its signer', () => ({ ...signed(), deadline: now + 599 })],
  ])('is refused as %s (%s)', (category, text, auth) => {
    const fault = judged(auth())
    expect(fault).toMatchObject({ code: 'LifecycleAuthRejected', status: 400, details: { category } })
    expect(fault?.message).toMatch(new RegExp(`^Lifecycle order rejected: ${category}: .*${text}`))
  })

  test('is for one chain and one payment', () => {
    expect(categoryOf(judgeOrder(signed(), stepOf('release'), chainId + 1, now))).toBe('bad_signature')
    const other = { ...stepOf('release'), info: aPaymentInfo() }
    expect(categoryOf(judged(signed(), other))).toBe('bad_signature')
  })
})

describe('who may order', () => {
  const may = (action: Step, signer: LifecycleAuth['signer'], at = now): boolean => {
    const fault = judgeRole(by(signer), stepOf(action), escrow, delegates, at)
    if (fault !== undefined) expect(categoryOf(fault)).toBe('unauthorized_role')
    if (fault !== undefined) expect(fault.message).toContain(`${signer} may not order ${action}`)
    return fault === undefined
  }

  test('a release: the payer, the owner and its delegates, never the payee or a stranger', () => {
    for (const { address } of [payer, treasury, service]) expect(may('release', address)).toBe(true)
    for (const { address } of [worker, stranger]) expect(may('release', address)).toBe(false)
  })

  test('a refund: the payee, the owner and its delegates, and the payer once the authorization is over', () => {
    for (const { address } of [worker, treasury, service]) expect(may('refundInEscrow', address)).toBe(true)
    expect(may('refundInEscrow', stranger.address)).toBe(false)
    expect(may('refundInEscrow', payer.address, info.authorizationExpiry - 1)).toBe(false)
    expect(may('refundInEscrow', payer.address, info.authorizationExpiry)).toBe(true)
    expect(may('refundInEscrow', stranger.address, info.authorizationExpiry)).toBe(false)
  })

  test('with the trust of the operator: its owner and its delegates alone', () => {
    const trusted = [treasury, service, payer, worker].map(({ address }) => isTrusted(by(address), escrow, delegates))
    expect(trusted).toEqual([true, true, false, false])
    expect(isTrusted(by(service.address), escrow, [])).toBe(false)
  })
})

describe('an order that no key signed', () => {
  const answering = (answer: string) => {
    const asked: unknown[] = []
    const batch = (requests: readonly unknown[]) => {
      asked.push(requests)
      return Promise.resolve([{ result: '0x60' }, { result: answer }])
    }
    return { asked, network: served({ rpc: { batch } }) }
  }
  const yes = `0x1626ba7e${'0'.repeat(56)}`
  const judged = (auth: LifecycleAuth | undefined, network: ServedNetwork) =>
    judgeSigned(auth, stepOf('release'), { network, escrow }, delegates, now)
  const unsigned = signed('release', { key: stranger.privateKey })

  test('is good when the wallet of a party says so', async () => {
    const { asked, network } = answering(yes)
    expect(await judged(unsigned, network)).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  test('is refused when it says no', async () => {
    expect(categoryOf(await judged(unsigned, answering('0x').network))).toBe('bad_signature')
  })

  test.each<readonly [what: string, category: string | undefined, auth: () => LifecycleAuth | undefined]>([
    ['a key signed', undefined, () => signed()],
    ['there is none', 'missing', () => undefined],
    ['it is over', 'expired', () => ({ ...unsigned, deadline: now })],
    ['its signer may not order', 'bad_signature', () => ({ ...unsigned, signer: worker.address })],
  ])('asks no chain where %s', async (_what, category, auth) => {
    const { asked, network } = answering(yes)
    expect(categoryOf(await judged(auth(), network))).toBe(category)
    expect(asked).toEqual([])
  })
})

describe('a store that went back', () => {
  const went = 1_000
  const forgettable = (at: number, amount: bigint, deadline?: number): boolean => {
    const auth = deadline === undefined ? undefined : { ...signed(), deadline }
    return isForgettable({ ...stepOf('release'), amount }, auth, { wentBackAt: () => went }, at)
  }
  const part = info.maxAmount - 1n

  test('may have forgotten a part whose order was good at that time', () => {
    expect(forgettable(5_000, part, went + 900)).toBe(true)
    expect(forgettable(0, part, went + 901)).toBe(false)
  })

  test('may have forgotten a part without an order until its resends are over', () => {
    expect(forgettable(went + 900, part)).toBe(true)
    expect(forgettable(went + 901, part)).toBe(false)
  })

  test('forgets no whole: the chain moves it once', () => {
    expect(forgettable(went, info.maxAmount)).toBe(false)
  })

  test('that never did forgets nothing', () => {
    const step = { ...stepOf('release'), amount: part }
    expect(isForgettable(step, undefined, {}, 0)).toBe(false)
    expect(isForgettable(step, undefined, { wentBackAt: () => undefined }, 0)).toBe(false)
  })
})
