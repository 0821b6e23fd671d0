import { MarketError, type ErrorDetails } from '@ergon/core'
import type { ErrorCode } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createIdempotency, type Keys, type Recover } from '../../src/dispatch/idempotency.ts'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import { ada, json, openCounter, planOf, requestOf, signature } from './one-call.ts'

const body = '{"item":"stone"}'
const signed = { method: 'POST', headers: [signature, json], body } as const

describe('a call is answered', () => {
  test('with who made it, and its nonce is spent once', async () => {
    const counter = openCounter()
    const served = await counter.call('make', signed)
    expect([served.status, served.code, served.wallet, 'fault' in served]).toEqual([200, null, ada, false])
    expect(counter.spent).toEqual(['nonce'])
  })
  test('where it is refused, by its code, and no nonce is spent', async () => {
    const counter = openCounter()
    const served = await counter.call('make', { ...signed, body: '{"item":"x"}' })
    expect([served.code, served.wallet, 'fault' in served]).toEqual(['VALIDATION_FAILED', ada, false])
    expect([counter.spent, counter.called]).toEqual([[], []])
    expect(served.headers).not.toHaveProperty('www-authenticate')
  })
  test('where nobody signed it, by how to sign', async () => {
    const served = await openCounter().call('make', { ...signed, headers: [json] })
    expect([served.status, served.wallet]).toEqual([401, null])
    expect(served.headers).toMatchObject({
      'www-authenticate': `ERC8128 realm="market.test", error="${served.code ?? ''}"`,
      'x-svc-auth-schemes': 'erc8128',
    })
  })
  test('where nobody expected what happened, by nothing of it', async () => {
    const fault = new Error('secret')
    const run = (): never => {
      throw fault
    }
    const served = await openCounter({}, { idempotency: { run } }).call('make', signed)
    expect([served.code, served.fault]).toEqual(['INTERNAL', fault])
    expect(JSON.stringify(served.body)).not.toContain('secret')
  })
  test('by the status that its handler names', async () => {
    const run = () => ({ body: {}, status: 202 as const, headers: { 'x-own': 'yes' } })
    const served = await openCounter({}, { idempotency: { run } }).call('make', signed)
    expect([served.status, served.headers['x-own']]).toEqual([202, 'yes'])
  })
})

describe('a refusal says when to come again (spec §7, §8)', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const answer = (code: ErrorCode, details: ErrorDetails = {}) =>
    errorAnswer(new MarketError(code, details), 'request', now)
  const reset = (seconds: number) => ({
    remaining: 0,
    reset_at: new Date(now + seconds * 1_000).toISOString(),
    retry_after_sec: seconds,
  })

  test.each([
    [{}, 60],
    [{ retry_after_sec: 5 }, 5],
  ])('of a counter with %j', (details, seconds) => {
    const { headers, body: told } = answer('RATE_LIMITED', details)
    expect(told.details).toEqual(reset(seconds))
    expect(headers).toEqual({
      'retry-after': String(seconds),
      'x-ratelimit-reset': String(now / 1_000 + seconds),
    })
  })
  test('but the cap of a number of things frees with no time', () => {
    const { headers, body: told } = answer('LISTING_CAP_REACHED', { limit: 20 })
    expect([headers, told.details]).toEqual([{}, { limit: 20 }])
  })
  test.each<[ErrorCode, ErrorDetails, Readonly<Record<string, string>>]>([
    ['ESCROW_NOT_ASSIGNABLE', {}, { 'retry-after': '10' }],
    ['APPROVAL_IN_FLIGHT', {}, { 'retry-after': '10' }],
    ['IDEMPOTENCY_IN_FLIGHT', {}, { 'retry-after': '2' }],
    ['CHAIN_UNAVAILABLE', {}, { 'retry-after': '2' }],
    ['CHAIN_UNAVAILABLE', { retry_after_sec: 7 }, { 'retry-after': '7' }],
    ['SETTLEMENT_FAILED', {}, {}],
    ['TASK_NOT_OPEN', {}, {}],
  ])('%s with %j', (code, details, headers) => {
    expect(answer(code, details).headers).toEqual(headers)
  })
  test('in its own words, or in those of the catalogue', () => {
    expect(answer('TASK_NOT_FOUND').body.message).toBe('There is no such task.')
    const own = new MarketError('TASK_NOT_FOUND', {}, { message: 'It is gone.' })
    expect(errorAnswer(own, 'request').body.message).toBe('It is gone.')
  })
})

describe('what a key remembers (decision 0050)', () => {
  type Given = { readonly created?: Readonly<Record<string, string>>; readonly recover?: Recover }

  /** One call under a key, and what was kept of it. */
  async function kept(handler: AnyHandler, { created, recover }: Given = {}) {
    const said: unknown[][] = []
    const keys: Keys<string> = {
      begin: () => Promise.resolve({ state: 'begun', call: 'one', created: created ?? null }),
      within: (_call, work) => work(),
      finish: (...of) => Promise.resolve(void said.push(['finish', ...of])),
      release: (...of) => Promise.resolve(void said.push(['release', ...of])),
    }
    const plan = planOf('make')
    const caller = { kind: 'wallet', wallet: ada, agentId: null, via: 'signature' } as const
    const request = requestOf({ method: 'POST', headers: [['x-idempotency-key', 'k']] })
    const recovers = recover === undefined ? {} : { [plan.name]: recover }
    const { run } = createIdempotency({ keys, recover: recovers, onForgotten: (error) => said.push(['lost', error]) })
    const outcome = await Promise.resolve(run(plan, { caller, request, exact: () => undefined }, {}, handler)).catch(
      (error: unknown) => (error instanceof MarketError ? error.code : error),
    )
    return { outcome, said }
  }
  const refusing =
    (code: ErrorCode): AnyHandler =>
    () => {
      throw new MarketError(code)
    }
  const remembered = (code: ErrorCode, status: number) => [
    ['finish', 'one', status, { code, message: null, details: {} }],
  ]

  test('an answer, and the ids of what can be made again', async () => {
    expect((await kept(() => ({ body: 'done' }))).said).toEqual([['finish', 'one', 200, { body: 'done' }]])
    const made = await kept(() => ({ body: 'secret', remade: { hook: 'id' } }))
    expect(made.said).toEqual([['finish', 'one', 200, { made: { hook: 'id' } }]])
  })
  test('nothing of what is still in flight', async () => {
    expect((await kept(() => ({ body: 'soon', status: 202 }))).said).toEqual([['release', 'one', 202]])
  })
  test('a refusal that is final', async () => {
    expect((await kept(refusing('TASK_NOT_FOUND'))).said).toEqual(remembered('TASK_NOT_FOUND', 404))
  })
  test.each<[ErrorCode, number]>([
    ['escrow_signature_required', 402],
    ['LIFECYCLE_ORDER_INVALID', 409],
    ['APPROVAL_INVALID', 409],
    ['IDEMPOTENCY_IN_FLIGHT', 409],
    ['CHAIN_UNAVAILABLE', 503],
    ['INTERNAL', 500],
  ])('nothing of %s: it is asked again under the same key', async (code, status) => {
    expect(await kept(refusing(code))).toEqual({ outcome: code, said: [['release', 'one', status]] })
  })
  test('no refusal after an earlier run wrote: it may say no more than that it did', async () => {
    const { said } = await kept(refusing('TASK_NOT_FOUND'), { created: { task: 'id' } })
    expect(said).toEqual([['release', 'one', 404]])
  })
  test('what an earlier run made is answered, or the handler finds out', async () => {
    const handler: AnyHandler = () => ({ body: 'by the handler' })
    const created = { task: 'id' }
    const recovered = await kept(handler, { created, recover: () => Promise.resolve({ body: 'recovered' }) })
    expect(recovered.outcome).toEqual({ body: 'recovered' })
    const unknown = await kept(handler, { created, recover: () => Promise.resolve(null) })
    expect([unknown.outcome, (await kept(handler, { created })).outcome]).toEqual([
      { body: 'by the handler' },
      { body: 'by the handler' },
    ])
  })
})
