import { operations, type Operation } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  approveFields,
  aTask,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { liveChannels } from './live-channels.ts'
import { signedIn } from './live-people.ts'
import { mailNowhere } from '../mail/mail-server.ts'

const adminKey = 'the admin key of this test'
let market: LiveMarket
let publisher: Party
let worker: Party

beforeAll(async () => {
  const { wired } = liveChannels()
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey, SVC_OAUTH: 'true', ...mailNowhere }, undefined, {
    channels: wired,
  })
  publisher = await market.party(50n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const offer = {
  title: 'I translate menus',
  description: 'Any menu of up to four pages, into English.',
  category: 'simple_action',
  unit_price_usd: 1.07,
  skills: ['translation'],
}
const missing = '01890a5d-ac96-774b-bcce-b302099a8057'

let keys = 0
function freshKey(): string {
  keys += 1
  return `key-${String(keys)}`
}

const withKey = (key: string): Record<string, string> => ({ 'x-idempotency-key': key })

/** Sends again for as long as the first one is under way, as Retry-After asks. */
async function insistently(call: () => Promise<Reply>): Promise<Reply> {
  let reply = await call()
  await expect
    .poll(
      async () => {
        if (reply.body['code'] !== 'IDEMPOTENCY_IN_FLIGHT') return true
        expect(reply.headers['retry-after']).toBe('2')
        reply = await call()
        return false
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(true)
  return reply
}

/** Ten at once under one key; answers the one answer all of them have. */
async function tenOfOneKey(
  party: Party,
  method: string,
  target: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const key = freshKey()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      insistently(() => party.call(method, target, body, { ...headers, ...withKey(key) })),
    ),
  )
  const [first] = replies
  if (first === undefined) throw new Error('nothing was sent')
  for (const reply of replies) expect([reply.status, reply.body]).toEqual([first.status, first.body])
  expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === 'true')).toHaveLength(9)
  return first
}

async function rows(target: string, list: string, party: Party): Promise<readonly unknown[]> {
  return expectStatus(await party.call('GET', target), 200).body[list] as readonly unknown[] // the contract's output
}

async function accepted(): Promise<string> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job.taskId
}

describe('of ten identical calls with one key one has an effect, and all have its answer', () => {
  test('offering a service', async () => {
    const seller = await market.party(0n)
    expectStatus(await tenOfOneKey(seller, 'POST', '/api/v1/services', offer), 201)
    expect(await rows('/api/v1/services/mine', 'listings', seller)).toHaveLength(1)
  })

  test('ordering a service', async () => {
    const seller = await market.party(0n)
    const listing = expectStatus(await seller.call('POST', '/api/v1/services', offer), 201)
    const id = String(listing.body['id'])
    const { body } = expectStatus(
      await tenOfOneKey(publisher, 'POST', `/api/v1/services/${id}/order`, { bounty_usd_override: 1.07 }),
      201,
    )
    const job = { taskId: String(body['task_id']), executorId: String(body['seller_executor_id']) }
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    expect((await market.get(`/api/v1/services/${id}`)).body).toMatchObject({ orders_count: 1 })
  })

  test('applying, assigning, submitting and approving', async () => {
    const published = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
    const taskId = String(published.body['id'])
    const application = expectStatus(
      await tenOfOneKey(worker, 'POST', `/api/v1/tasks/${taskId}/apply`, { message: 'I am near.' }),
      201,
    )
    const job = { taskId, executorId: String(application.body['executor_id']) }
    const before = { publisher: await market.balance(publisher.wallet), worker: await market.balance(worker.wallet) }
    const auth = await paymentAuth(publisher, job)
    expectStatus(
      await tenOfOneKey(
        publisher,
        'POST',
        `/api/v1/tasks/${taskId}/assign`,
        { executor_id: job.executorId },
        { 'x-payment-auth': auth },
      ),
      200,
    )
    expect(before.publisher - (await market.balance(publisher.wallet))).toBe(1_070_000n)
    const submission = expectStatus(
      await tenOfOneKey(worker, 'POST', `/api/v1/tasks/${taskId}/submit`, {
        evidence: { text_response: 'It is open.' },
      }),
      201,
    )
    const fields = await approveFields(publisher, String(submission.body['submission_id']))
    expectStatus(
      await tenOfOneKey(
        publisher,
        'POST',
        `/api/v1/submissions/${String(submission.body['submission_id'])}/approve`,
        fields,
      ),
      200,
    )
    expect((await market.balance(worker.wallet)) - before.worker).toBe(930_900n)
  })

  test('arguing a dispute, and cancelling a task that holds money', async () => {
    const submissionId = await submit(worker, await accepted())
    const dispute = expectStatus(
      await tenOfOneKey(worker, 'POST', `/api/v1/submissions/${submissionId}/dispute`, {
        reason: 'other',
        description: 'We do not agree.',
      }),
      201,
    )
    const id = String(dispute.body['id'])
    expectStatus(
      await tenOfOneKey(worker, 'POST', `/api/v1/disputes/${id}/evidence`, { statement: 'I was there.' }),
      201,
    )
    expect(await rows(`/api/v1/disputes/${id}`, 'evidence', worker)).toHaveLength(1)
    const taskId = await accepted()
    const before = await market.balance(publisher.wallet)
    expectStatus(await tenOfOneKey(publisher, 'POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
    expect((await market.balance(publisher.wallet)) - before).toBe(1_070_000n)
  })
})

describe('what a key is bound to', () => {
  test('another body is refused, another operation and another wallet are not', async () => {
    const [seller, other, key] = [await market.party(0n), await market.party(0n), freshKey()]
    const first = expectStatus(await seller.call('POST', '/api/v1/services', offer, withKey(key)), 201)
    const reordered = Object.fromEntries(Object.entries(offer).reverse())
    const again = expectStatus(await seller.call('POST', '/api/v1/services', reordered, withKey(key)), 201)
    expect([again.body['id'], again.headers['idempotent-replayed']]).toEqual([first.body['id'], 'true'])
    expect(
      expectStatus(
        await seller.call('POST', '/api/v1/services', { ...offer, title: 'I translate books' }, withKey(key)),
        422,
      ).body,
    ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    const target = `/api/v1/services/${String(first.body['id'])}`
    expect(
      expectStatus(await seller.call('PATCH', target, { availability: 'paused' }, withKey(key)), 200).body,
    ).toMatchObject({ availability: 'paused' })
    expect(expectStatus(await other.call('POST', '/api/v1/services', offer, withKey(key)), 201).body['id']).not.toBe(
      first.body['id'],
    )
  })

  test('a refusal that is final is replayed with its code, whatever happened since', async () => {
    const [seller, buyer, key] = [await market.party(0n), await market.party(0n), freshKey()]
    const id = String(expectStatus(await seller.call('POST', '/api/v1/services', offer), 201).body['id'])
    expectStatus(await seller.call('PATCH', `/api/v1/services/${id}`, { availability: 'paused' }), 200)
    const order = () => buyer.call('POST', `/api/v1/services/${id}/order`, {}, withKey(key))
    const first = expectStatus(await order(), 409)
    expectStatus(await seller.call('PATCH', `/api/v1/services/${id}`, { availability: 'active' }), 200)
    const again = expectStatus(await order(), 409)
    expect([
      first.body['code'],
      first.headers['idempotent-replayed'],
      again.body['code'],
      again.body['details'],
      again.headers['idempotent-replayed'],
    ]).toEqual(['LISTING_PAUSED', undefined, 'LISTING_PAUSED', first.body['details'], 'true'])
    expectStatus(await buyer.call('POST', `/api/v1/services/${id}/order`, {}, withKey(freshKey())), 201)
    expect(expectStatus(await buyer.call('GET', `/api/v1/operations/${key}`), 200).body).toMatchObject({
      state: 'done',
      status: 409,
      answer: { code: 'LISTING_PAUSED' },
    })
  })

  test('a body that breaks a rule, a missing signature and a refusal to be tried again leave no trace', async () => {
    const [seller, key] = [await market.party(0n), freshKey()]
    expectStatus(await seller.call('POST', '/api/v1/services', { ...offer, price: 1 }, withKey(key)), 422)
    expectStatus(
      await send(
        market.url,
        'POST',
        '/api/v1/services',
        { host: authority, 'content-type': 'application/json', ...withKey(key) },
        JSON.stringify(offer),
      ),
      401,
    )
    const job = await applied(publisher, worker)
    expect(
      expectStatus(
        await publisher.call(
          'POST',
          `/api/v1/tasks/${job.taskId}/assign`,
          { executor_id: job.executorId },
          withKey(key),
        ),
        402,
      ).body,
    ).toMatchObject({ code: 'escrow_signature_required' })
    for (const party of [seller, publisher])
      expect((await party.call('GET', `/api/v1/operations/${key}`)).body).toMatchObject({ state: 'not_seen' })
    expectStatus(
      await publisher.call(
        'POST',
        `/api/v1/tasks/${job.taskId}/assign`,
        { executor_id: job.executorId },
        { ...withKey(key), 'x-payment-auth': await paymentAuth(publisher, job) },
      ),
      200,
    )
  })

  test('the admin has keys as well', async () => {
    const submissionId = await submit(worker, await accepted())
    const { body } = expectStatus(
      await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, {
        reason: 'other',
        description: 'We do not agree.',
      }),
      201,
    )
    const text = JSON.stringify({ verdict: 'refund', reason: 'There is nothing to see.' })
    const resolve = () =>
      send(
        market.url,
        'POST',
        `/api/v1/disputes/${String(body['id'])}/resolve`,
        { host: authority, 'content-type': 'application/json', 'x-admin-key': adminKey, ...withKey('verdict') },
        text,
      )
    const first = expectStatus(await resolve(), 200)
    const again = expectStatus(await resolve(), 200)
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
  })
})

describe('GET /api/v1/operations/{key}', () => {
  test('finds calls and publishes of the wallet that asks, and nobody else’s', async () => {
    const [agent, other, key] = [await market.party(0n), await market.party(0n), 'gate/1?of=day']
    const target = `/api/v1/operations/${encodeURIComponent(key)}`
    expect(expectStatus(await agent.call('GET', target), 200).body).toEqual({
      key,
      operation: null,
      state: 'not_seen',
      status: null,
      answer: null,
      created_at: null,
    })
    const task = expectStatus(await agent.call('POST', '/api/v1/tasks', aTask(), withKey(key)), 201)
    expect(expectStatus(await agent.call('GET', target), 200).body).toMatchObject({
      key,
      operation: 'tasks.publish',
      state: 'done',
      status: 201,
      answer: task.body,
      created_at: task.body['created_at'],
    })
    const listing = expectStatus(await agent.call('POST', '/api/v1/services', offer, withKey(key)), 201)
    expect(expectStatus(await agent.call('GET', `${target}?operation=listings.create`), 200).body).toMatchObject({
      operation: 'listings.create',
      state: 'done',
      status: 201,
      answer: listing.body,
    })
    expect(expectStatus(await agent.call('GET', `${target}?operation=tasks.publish`), 200).body).toMatchObject({
      answer: { id: task.body['id'] },
    })
    expect(expectStatus(await other.call('GET', target), 200).body).toMatchObject({ state: 'not_seen' })
    expect(expectStatus(await market.get(target), 403).body).toMatchObject({ code: 'SIGNATURE_REQUIRED' })
  })

  test('finds what a person published, through the session', async () => {
    const person = await signedIn(market, await market.party(0n))
    const task = expectStatus(await person.call('POST', '/api/v1/h2a/tasks', aTask(), withKey('person-1')), 201)
    expect(expectStatus(await person.call('GET', '/api/v1/operations/person-1'), 200).body).toMatchObject({
      operation: 'h2a.publish',
      state: 'done',
      status: 201,
      answer: task.body,
    })
    expect(
      expectStatus(await person.call('GET', '/api/v1/operations/person-1?operation=tasks.publish'), 200).body,
    ).toMatchObject({ state: 'not_seen' })
  })
})

test('a 202 is not remembered: the same key is asked again until the money has moved, and moves it once', async () => {
  await using hasty = await startLiveMarket({ SVC_SETTLE_WAIT_MS: '1' })
  const [payer, taker, key] = [await hasty.party(5n), await hasty.party(0n), freshKey()]
  const job = await applied(payer, taker)
  const auth = await paymentAuth(payer, job)
  const call = () =>
    payer.call(
      'POST',
      `/api/v1/tasks/${job.taskId}/assign`,
      { executor_id: job.executorId },
      { 'x-payment-auth': auth, ...withKey(key) },
    )
  expect(expectStatus(await call(), 202).body).toMatchObject({ status: 'assigning' })
  expect((await payer.call('GET', `/api/v1/operations/${key}`)).body).toMatchObject({
    state: 'in_doubt',
    status: 202,
  })
  await expect.poll(async () => (await call()).status, { timeout: 30_000, interval: 100 }).toBe(200)
  const again = expectStatus(await call(), 200)
  expect([again.headers['idempotent-replayed'], again.body['status']]).toEqual(['true', 'accepted'])
  expect(await hasty.balance(payer.wallet)).toBe(3_930_000n)
})

// The key of these is a field too, which is read with the others.
const complete: Readonly<Record<string, object>> = {
  'tasks.publish': aTask(),
  'channels.tick': { evidence: { seen: 1 } },
  'streams.tick': { evidence: { seen: 1 } },
}
const mutations = Object.entries<Operation>(operations).flatMap(([name, { rest, access }]) =>
  rest
    .filter(({ method }) => method !== 'GET' && (access.by === 'wallet' || access.by === 'admin'))
    .map(({ method, path }) => [name, method, path] as const),
)

test.each(mutations)(
  '%s at %s %s reads the key: one that is malformed is refused before anything is spent',
  async (name, method, path) => {
    const target = path.replaceAll(/\{[a-z_]+\}/g, missing)
    for (const key of ['a b', 'k'.repeat(129)]) {
      const headers = { ...withKey(key), 'x-admin-key': adminKey }
      const reply = await publisher.call(
        method,
        target,
        method === 'DELETE' ? undefined : (complete[name] ?? {}),
        headers,
      )
      expect(expectStatus(reply, 422).body).toMatchObject({ code: 'VALIDATION_FAILED' })
      expect(JSON.stringify(reply.body['details'])).toMatch(/idempotency.key/)
    }
  },
)
