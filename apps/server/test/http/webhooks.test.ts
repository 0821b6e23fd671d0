import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { startReceiver, status, type Received, type Receiver } from '../webhooks/receiver.ts'
import { isSignedByKey, signatureKinds } from '../webhooks/verify.ts'
import { aTask, eventually, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'
import { signedIn } from './live-people.ts'

let live: LiveMarket
let receiver: Receiver
beforeAll(async () => {
  live = await startLiveMarket({ SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' })
  receiver = await startReceiver()
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

type Hook = { readonly id: string; readonly secret: string; readonly publicKey: string }

async function register(party: Party, body: Readonly<Record<string, unknown>> = {}): Promise<Hook> {
  const made = expectStatus(
    await party.call('POST', '/api/v1/webhooks', { url: receiver.url, events: ['*'], ...body }),
    201,
  )
  return {
    id: String(made.body['webhook_id']),
    secret: String(made.body['secret']),
    publicKey: String(made.body['public_key']),
  }
}

async function activate(party: Party, { id }: Hook): Promise<void> {
  expect(expectStatus(await party.call('POST', `/api/v1/webhooks/${id}/verify`), 200).body).toMatchObject({
    status: 'active',
  })
}

const about = (taskId: string) => async (): Promise<readonly Received[]> =>
  receiver.events().filter(({ body }) => body.includes(taskId))

it('an endpoint that proved itself gets what happens, signed, with the id the stream gives it', async () => {
  const party = await live.party(0n)
  const hook = await register(party, { description: 'mine', ed25519: true })
  expect([/^whsec_[A-Za-z0-9+/]{43}=$/.test(hook.secret), /^whpk_[A-Za-z0-9+/]{43}=$/.test(hook.publicKey)]).toEqual([
    true,
    true,
  ])
  await activate(party, hook)
  const task = expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201)
  const [got] = await eventually(about(String(task.body['id'])), (found) => found.length > 0)
  if (got === undefined) throw new Error('nothing came')
  expect(new Webhook(hook.secret).verify(got.body, got.headers)).toMatchObject({
    type: 'task.created',
    data: { task_id: task.body['id'] },
  })
  expect([signatureKinds(got), isSignedByKey(hook.publicKey, got)]).toEqual([['v1', 'v1a'], true])
  const stream = await party.call('GET', '/api/v1/events?types=task.created')
  const [{ cursor, ...envelope } = { cursor: '' }] = stream.body['events'] as readonly { readonly cursor: string }[] // the contract's output
  expect([typeof cursor, JSON.parse(got.body)]).toEqual(['string', envelope])
  const log = await eventually(
    () => party.call('GET', `/api/v1/webhooks/${hook.id}/deliveries`),
    // Of the event, which comes first; that the endpoint proved itself is delivered already.
    ({ body }) => (body['deliveries'] as readonly { readonly status: string }[])[0]?.status === 'delivered',
  )
  expect(log.body).toMatchObject({
    has_more: false,
    deliveries: [
      {
        event_type: 'task.created',
        kind: 'event',
        next_attempt_at: null,
        request_body: got.body,
        attempts: [
          { attempt: 1, response_status: 200, response_body: 'thanks', request_headers: { 'webhook-id': got.id } },
        ],
      },
      { kind: 'challenge', status: 'delivered' },
    ],
  })
})

it('an endpoint is listed, read, changed and forgotten by its owner alone; the list answers with a slash too', async () => {
  const [party, stranger] = [await live.party(0n), await live.party(0n)]
  const hook = await register(party)
  for (const path of ['/api/v1/webhooks', '/api/v1/webhooks/'])
    expect(expectStatus(await party.call('GET', path), 200).body).toMatchObject({
      count: 1,
      webhooks: [{ webhook_id: hook.id, owner_id: party.wallet.toLowerCase(), status: 'unverified', ed25519: false }],
    })
  expect(JSON.stringify((await party.call('GET', `/api/v1/webhooks/${hook.id}`)).body)).not.toContain('whsec_')
  expect((await stranger.call('GET', '/api/v1/webhooks')).body).toMatchObject({ count: 0 })
  const theirs = [
    ['GET', ''],
    ['PUT', '', { status: 'paused' }],
    ['POST', '/rotate-secret', {}],
    ['POST', '/verify'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/00000000-0000-4000-8000-000000000000/replay'],
    ['POST', '/replay', { from: '2026-01-01T00:00:00Z' }],
  ] as const
  for (const [method, path, body] of theirs)
    expect(
      expectStatus(await stranger.call(method, `/api/v1/webhooks/${hook.id}${path}`, body), 404).body,
    ).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  expect(expectStatus(await stranger.call('DELETE', `/api/v1/webhooks/${hook.id}`), 200).body).toMatchObject({
    deleted: false,
  })
  await activate(party, hook)
  expect(
    expectStatus(
      await party.call('PUT', `/api/v1/webhooks/${hook.id}`, {
        events: ['task.created'],
        description: null,
        status: 'paused',
      }),
      200,
    ).body,
  ).toMatchObject({ events: ['task.created'], description: null, status: 'paused' })
  expect(
    expectStatus(
      await party.call('PUT', `/api/v1/webhooks/${hook.id}`, { url: `${receiver.url}/other`, ed25519: true }),
      200,
    ).body,
  ).toMatchObject({ status: 'unverified', verified_at: null, ed25519: true })
  expect(
    expectStatus(await party.call('PUT', `/api/v1/webhooks/${hook.id}`, { status: 'active' }), 409).body,
  ).toMatchObject({ code: 'WEBHOOK_NOT_VERIFIED' })
  expect(expectStatus(await party.call('DELETE', `/api/v1/webhooks/${hook.id}`), 200).body).toMatchObject({
    deleted: true,
  })
  expect((await party.call('GET', `/api/v1/webhooks/${hook.id}`)).status).toBe(404)
})

describe('a key on a call that shows a secret', () => {
  it('shows the same secret again and makes no second endpoint; the secret is not kept with the key', async () => {
    const party = await live.party(0n)
    const send = () =>
      party.call('POST', '/api/v1/webhooks/', { url: receiver.url, events: ['*'] }, { 'x-idempotency-key': 'make-it' })
    const [first, again] = [expectStatus(await send(), 201), await send()]
    expect([again.headers['idempotent-replayed'], again.body['webhook_id'], again.body['secret']]).toEqual([
      'true',
      first.body['webhook_id'],
      first.body['secret'],
    ])
    expect((await party.call('GET', '/api/v1/webhooks')).body).toMatchObject({ count: 1 })
    const looked = expectStatus(await party.call('GET', '/api/v1/operations/make-it'), 200)
    expect(looked.body).toMatchObject({ state: 'done', answer: { webhook: first.body['webhook_id'] } })
    expect(JSON.stringify(looked.body)).not.toContain('whsec_')
    const id = String(first.body['webhook_id'])
    const rotate = () =>
      party.call(
        'POST',
        `/api/v1/webhooks/${id}/rotate-secret`,
        { overlap_hours: 0 },
        { 'x-idempotency-key': 'turn-it' },
      )
    const [turned, turnedAgain] = [expectStatus(await rotate(), 200), expectStatus(await rotate(), 200)]
    expect(turnedAgain.body).toEqual(turned.body)
    expect(turned.body['secret']).not.toBe(first.body['secret'])
    // It is there, and cannot be shown again: that is no reason to make another.
    const hidden = await send()
    expect([hidden.body['code'], hidden.headers['idempotent-replayed']]).toEqual(['IDEMPOTENCY_KEY_REUSED', undefined])
    expectStatus(await party.call('DELETE', `/api/v1/webhooks/${id}`), 200)
    const gone = await send()
    expect([gone.status, gone.body['code'], gone.headers['idempotent-replayed']]).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'true',
    ])
  })
})

it('a person manages webhooks with a session, and whoever does not sign has none', async () => {
  const person = await signedIn(live, await live.party(0n))
  const hook = await register(person)
  expect((await person.call('GET', '/api/v1/webhooks')).body).toMatchObject({
    count: 1,
    webhooks: [{ webhook_id: hook.id }],
  })
  expect(await live.get('/api/v1/webhooks')).toMatchObject({ status: 200, body: { count: 0, webhooks: [] } })
  expect((await live.get(`/api/v1/webhooks/${hook.id}`)).status).toBe(403)
})

it('the catalogue prints the schema of every body, and anybody may read it', async () => {
  const { body } = expectStatus(await live.get('/api/v1/webhooks/events'), 200)
  const events = body['events'] as readonly {
    readonly type: string
    readonly selectable: boolean
    readonly schema: { readonly properties: Readonly<Record<string, unknown>> }
  }[] // the contract's output
  expect(events.find(({ type }) => type === 'task.completed')?.schema.properties['data']).toMatchObject({
    properties: { executor_id: {}, bounty_usd: {}, payment: {} },
    required: ['task_id', 'executor_id', 'bounty_usd', 'payment'],
  })
  expect(events.filter(({ selectable }) => !selectable).map(({ type }) => type)).toEqual([
    'webhook.challenge',
    'webhook.test',
  ])
})

describe('what is refused', () => {
  it.each([
    'ftp://127.0.0.1/',
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://user:pw@hooks.example/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://hooks.example/#x',
  ])('the URL %s', async (url) => {
    const party = await live.party(0n)
    expect(expectStatus(await party.call('POST', '/api/v1/webhooks', { url, events: ['*'] }), 422).body).toMatchObject({
      code: 'WEBHOOK_URL_REFUSED',
    })
  })

  it('an event nobody knows, no event at all, and an eleventh endpoint, however many are asked for at once', async () => {
    const party = await live.party(0n)
    for (const events of [[], ['task.exploded'], ['*', '*']])
      expect(
        expectStatus(await party.call('POST', '/api/v1/webhooks', { url: receiver.url, events }), 422).body,
      ).toMatchObject({ code: 'VALIDATION_FAILED' })
    const replies = await Promise.all(
      Array.from({ length: 14 }, () => party.call('POST', '/api/v1/webhooks', { url: receiver.url, events: ['*'] })),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 4 }, () => 409),
    ])
    expect(replies.find((reply) => reply.status === 409)?.body).toMatchObject({ code: 'WEBHOOK_CAP_REACHED' })
  })

  it('a challenge that is not answered with the token, and a name that leads inside', async () => {
    const party = await live.party(0n)
    const { createServer } = await import('node:http')
    const echo = createServer((request, response) => {
      request.pipe(response)
    })
    await new Promise<void>((resolve) => {
      echo.listen(0, '127.0.0.1', resolve)
    })
    const address = echo.address()
    const hook = await register(party, {
      url: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}/`,
    })
    expect(expectStatus(await party.call('POST', `/api/v1/webhooks/${hook.id}/verify`), 409).body).toMatchObject({
      code: 'WEBHOOK_CHALLENGE_FAILED',
      details: { status: 200 },
    })
    await new Promise((resolve) => {
      echo.closeAllConnections()
      echo.close(resolve)
    })
    expect(expectStatus(await party.call('POST', `/api/v1/webhooks/${hook.id}/verify`), 409).body).toMatchObject({
      code: 'WEBHOOK_CHALLENGE_FAILED',
      details: { status: null, error: 'the connection failed' },
    })
    expect((await party.call('GET', `/api/v1/webhooks/${hook.id}/deliveries`)).body).toMatchObject({
      count: 2,
      deliveries: [
        { kind: 'challenge', status: 'failed' },
        { kind: 'challenge', status: 'failed' },
      ],
    })
    const inside = await register(party, { url: 'https://localhost.localdomain.invalid/' })
    expect(expectStatus(await party.call('POST', `/api/v1/webhooks/${inside.id}/verify`), 409).body).toMatchObject({
      code: 'WEBHOOK_CHALLENGE_FAILED',
    })
  })
})

it('a test is tried once, and a delivery that failed is sent again on request with the same id', async () => {
  const party = await live.party(0n)
  await using own = await startReceiver()
  const hook = await register(party, { url: own.url })
  await activate(party, hook)
  own.answer(status(500))
  const { delivery_id: delivery } = expectStatus(await party.call('POST', `/api/v1/webhooks/${hook.id}/test`), 200).body
  const read = () => party.call('GET', `/api/v1/webhooks/${hook.id}/deliveries?status=failed`)
  expect((await eventually(read, (reply) => reply.body['count'] === 1)).body).toMatchObject({
    deliveries: [{ delivery_id: delivery, kind: 'test', status: 'failed', attempts: [{ response_status: 500 }] }],
  })
  own.answer(status(204))
  expectStatus(await party.call('POST', `/api/v1/webhooks/${hook.id}/deliveries/${String(delivery)}/replay`), 200)
  await eventually(
    async () => own.events(),
    (events) => events.length === 2,
  )
  expect(own.events().map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test'])
  expect(new Set(own.events().map(({ body }) => body)).size).toBe(1)
  expect(expectStatus(await party.call('GET', `/api/v1/webhooks/${hook.id}`), 200).body).toMatchObject({
    status: 'active',
    failing_since: null,
  })
  expect(expectStatus(await party.call('POST', `/api/v1/webhooks/${hook.id}/replay`, {}), 422).body).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
})
