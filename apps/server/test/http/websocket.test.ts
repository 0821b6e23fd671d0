import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  approveFields,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { ownOrigin, sendJson, signedIn } from './live-people.ts'
import { authenticated, authFrame, openSocket, subscribed } from './live-socket.ts'

let live: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveMarket({ SVC_ADMIN_KEY: 'open sesame' })
  publisher = await live.party(100n)
  worker = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const publishTask = async (change: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask(change)), 201).body['id'])

test('a connection authenticates with a wallet-signed frame and is answered auth_success', async () => {
  using client = await openSocket(live.url)
  expect((await client.next(({ type }) => type === 'welcome')).payload).toMatchObject({
    connection_id: expect.any(String),
    authenticated: false,
  })
  const frame = await authFrame(worker.key)
  client.send(frame.type, frame.payload, 'mine')
  expect(await client.next(({ type }) => type === 'auth_success')).toMatchObject({
    id: 'mine',
    payload: { user_id: worker.wallet, via: 'signature', rooms: [`user:${worker.wallet}`] },
  })
})

test('events come wrapped twice under CamelCase names, one room a subscription', async () => {
  using client = await authenticated(live.url, publisher.key)
  const job = await applied(publisher, worker)
  expect((await subscribed(client, `task:${job.taskId}`)).payload).toMatchObject({
    room: `task:${job.taskId}`,
    total_subscriptions: 2,
  })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const received = await client.next(({ payload }) => payload['event'] === 'SubmissionReceived')
  expect(received).toMatchObject({
    type: 'event',
    payload: { event: 'SubmissionReceived', payload: { task_id: job.taskId, submission_id: submissionId } },
    id: expect.any(String),
    timestamp: expect.any(String),
    cursor: expect.any(String),
  })
  const events = client.events().filter(({ taskId }) => taskId === job.taskId)
  // The checks of the submission may have been done by now, which is told as well.
  expect(events.map(({ event }) => event).slice(0, 6)).toEqual([
    'TaskCreated',
    'ApplicationReceived',
    'WorkerAssigned',
    'PaymentEscrowed',
    'TaskUpdated',
    'SubmissionReceived',
  ])
  // In two rooms, and told once.
  expect(new Set(events.map(({ frame }) => frame.id)).size).toBe(events.length)
  expect(events.some(({ event }) => event.includes('.'))).toBe(false)
})

test('a worker is notified of assignment, approval and payment, before each event and once', async () => {
  const party = await live.party(0n)
  const job = await applied(publisher, party)
  using client = await authenticated(live.url, party.key)
  await subscribed(client, `task:${job.taskId}`)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(party, job.taskId)
  expectStatus(
    await publisher.call(
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
    ),
    200,
  )
  await client.next(({ payload }) => payload['event'] === 'TaskCompleted')
  const notices = client
    .events()
    .filter(({ event, frame }) => event === 'NotificationNew' && frame.id.endsWith(':notice'))
  expect(notices.map(({ frame }) => (frame.payload['payload'] as { type: string }).type)).toEqual([
    'assigned',
    'approved',
    'paid',
  ])
  expect(new Set(notices.map(({ frame }) => frame.id)).size).toBe(3)
  const order = client.events().map(({ event }) => event)
  expect(order.indexOf('NotificationNew')).toBe(order.indexOf('WorkerAssigned') - 1)
  // Whoever comes back is told them again, under the same ids.
  using again = await authenticated(
    live.url,
    party.key,
    client.frames.find(({ type }) => type === 'auth_success')?.payload['cursor'] as string,
  )
  await again.next(({ payload }) => payload['event'] === 'TaskCompleted')
  expect(
    again
      .events()
      .filter(({ frame }) => frame.id.endsWith(':notice'))
      .map(({ frame }) => frame.id),
  ).toEqual(notices.map(({ frame }) => frame.id))
})

test('an unauthenticated connection joins no room and receives zero events without an error', async () => {
  using client = await openSocket(live.url)
  const taskId = await publishTask()
  for (const room of ['global', `task:${taskId}`, `user:${publisher.wallet}`, 'category:simple_action'])
    client.send('subscribe', { room })
  using witness = await authenticated(live.url, worker.key)
  await subscribed(witness, 'global')
  const other = await publishTask()
  await witness.next(({ payload }) => JSON.stringify(payload).includes(other))
  await client.settled()
  expect(client.frames.map(({ type }) => type)).toEqual(['welcome', 'pong'])
})

test('a replayed, foreign, old or broken auth frame is refused, and the next good one is taken', async () => {
  using first = await openSocket(live.url)
  const used = await authFrame(worker.key)
  first.send('auth', used.payload)
  await first.next(({ type }) => type === 'auth_success')
  const refused = [
    [used.payload, 'SIGNATURE_REPLAYED'],
    [(await authFrame(worker.key, { url: 'ws://elsewhere.example/ws' })).payload, 'INVALID_SIGNATURE_HEADERS'],
    [(await authFrame(worker.key, { url: `ws://${authority}/api/v1/tasks` })).payload, 'INVALID_SIGNATURE_HEADERS'],
    [(await authFrame(worker.key, { now: Date.now() / 1000 - 3_600 })).payload, 'SIGNATURE_EXPIRED'],
    [{ ...(await authFrame(worker.key)).payload, signature: used.payload.signature }, 'INVALID_SIGNATURE_HEADERS'],
    [{ wallet: worker.wallet }, 'INVALID_SIGNATURE_HEADERS'],
    [{ 'signature-input': [], signature: {} }, 'INVALID_SIGNATURE_HEADERS'],
  ] as const
  using second = await openSocket(live.url)
  for (const [payload, code] of refused) {
    const id = randomUUID()
    second.send('auth', payload, id)
    expect(await second.next((frame) => frame.id === id), JSON.stringify(payload)).toMatchObject({
      type: 'auth_failed',
      payload: { code },
    })
  }
  second.send('subscribe', { room: 'global' }, 'too early')
  second.send('auth', (await authFrame(worker.key)).payload)
  await second.next(({ type }) => type === 'auth_success')
  expect(second.frames.some(({ id }) => id === 'too early')).toBe(false)
})

test.each([
  ['the publisher', () => publisher, true],
  ['a person who applied', () => worker, true],
  ['a stranger', () => live.party(0n), false],
] as const)('the room of a task is open to %s: %#', async (_who, whoever, isOpen) => {
  const party = await whoever()
  const job = await applied(publisher, worker)
  using client = await authenticated(live.url, party.key)
  const answer = await subscribed(client, `task:${job.taskId}`)
  expect(answer.type).toBe(isOpen ? 'subscribed' : 'error')
  if (!isOpen) expect(answer.payload).toMatchObject({ code: 'FORBIDDEN' })
})

test('an applicant hears what is public of the task and nothing of another’s work', async () => {
  const rival = await live.party(0n)
  const job = await applied(publisher, worker)
  expectStatus(await rival.call('POST', `/api/v1/tasks/${job.taskId}/apply`, {}), 201)
  using client = await authenticated(live.url, rival.key)
  await subscribed(client, `task:${job.taskId}`)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await submit(worker, job.taskId)
  using witness = await authenticated(live.url, publisher.key)
  await subscribed(client, 'global')
  const after = await publishTask()
  await client.next(({ payload }) => JSON.stringify(payload).includes(after))
  // Its own application, and the task itself in the room of everybody, may still have been on their way.
  const late: readonly unknown[] = ['ApplicationReceived', 'TaskCreated']
  const heard = client.events().flatMap(({ taskId, event }) => (taskId === job.taskId ? [event] : []))
  expect(new Set(heard.filter((event) => !late.includes(event)))).toEqual(
    new Set(['ApplicationNotChosen', 'NotificationNew']),
  )
  expect(witness.events().length).toBeGreaterThan(0)
})

test('a worker who stepped down stops hearing of the task', async () => {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  using client = await authenticated(live.url, worker.key)
  await subscribed(client, `task:${job.taskId}`)
  const left = await worker.call('POST', `/api/v1/tasks/${job.taskId}/withdraw`, {})
  expect([200, 202]).toContain(left.status)
  await client.next(({ payload }) => payload['event'] === 'WorkerUnassigned')
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/cancel`, {}), 200)
  expect((await client.next(({ type }) => type === 'unsubscribed')).payload).toMatchObject({
    room: `task:${job.taskId}`,
  })
  await client.settled()
  expect(client.events().filter(({ event }) => event === 'TaskCancelled')).toEqual([])
  expect((await subscribed(client, `task:${job.taskId}`)).payload).toMatchObject({ code: 'FORBIDDEN' })
})

test('open rooms carry what is public, by category and of all', async () => {
  using everywhere = await authenticated(live.url, worker.key)
  using here = await authenticated(live.url, worker.key)
  await subscribed(everywhere, 'global')
  await subscribed(here, 'category:physical_presence')
  const [one, two] = [
    await publishTask({ category: 'knowledge_access' }),
    await publishTask({ category: 'physical_presence' }),
  ]
  for (const client of [everywhere, here]) await client.next(({ payload }) => JSON.stringify(payload).includes(two))
  const seen = (client: typeof here): unknown[] =>
    client
      .events()
      .map(({ taskId }) => taskId)
      .filter((id) => id === one || id === two)
  expect(seen(everywhere)).toEqual([one, two])
  expect(seen(here)).toEqual([two])
})

test.each([
  [{ room: 'task:nothing' }, 'VALIDATION_FAILED'],
  [{ room: `task:${randomUUID()}` }, 'TASK_NOT_FOUND'],
  [{ room: `user:0x${'12'.repeat(20)}` }, 'FORBIDDEN'],
  [{ topics: ['global'] }, 'UNKNOWN_FIELD'],
  [{ room: ['global'] }, 'VALIDATION_FAILED'],
  [{ room: 'global', cursor: 'never given' }, 'VALIDATION_FAILED'],
])('subscribing with %j is refused and changes nothing', async (payload, code) => {
  using client = await authenticated(live.url, worker.key)
  client.send('subscribe', payload, 'asked')
  const refused = await client.next(({ type }) => type === 'error')
  expect(refused).toMatchObject({ id: 'asked', payload: { code } })
  expect((await subscribed(client, 'category:simple_action')).payload).toMatchObject({ total_subscriptions: 2 })
})

test('an unknown field is told in the shape of HTTP: which, what was meant, what is missing', async () => {
  using client = await authenticated(live.url, worker.key)
  client.send('subscribe', { rooms: ['global'], topic: 'x' }, 'asked')
  expect((await client.next(({ type }) => type === 'error')).payload).toMatchObject({
    code: 'UNKNOWN_FIELD',
    details: { fields: ['rooms', 'topic'], did_you_mean: ['room'], missing: ['room'] },
  })
})

test('at most fifty rooms are joined by one connection', async () => {
  using client = await authenticated(live.url, worker.key)
  const jobs: string[] = []
  for (let count = 0; count < 50; count += 1) jobs.push(await publishTask())
  using owner = await authenticated(live.url, publisher.key)
  for (const id of jobs.slice(0, 49)) expect((await subscribed(owner, `task:${id}`)).type).toBe('subscribed')
  expect((await subscribed(owner, `task:${jobs[49] ?? ''}`)).payload).toMatchObject({ code: 'VALIDATION_FAILED' })
  owner.send('unsubscribe', { room: `task:${jobs[0] ?? ''}` }, 'leave')
  expect((await owner.next(({ id }) => id === 'leave')).payload).toMatchObject({ total_subscriptions: 49 })
  expect((await subscribed(owner, `task:${jobs[49] ?? ''}`)).type).toBe('subscribed')
  await client.settled()
})

test('a wallet holds five connections, and a sixth is refused', async () => {
  const party = await live.party(0n)
  using held = new DisposableStack()
  for (let count = 0; count < 5; count += 1) held.use(await authenticated(live.url, party.key))
  using sixth = await openSocket(live.url)
  sixth.send('auth', (await authFrame(party.key)).payload)
  expect((await sixth.next(({ type }) => type === 'auth_failed')).payload).toMatchObject({ code: 'RATE_LIMITED' })
})

test('a session authenticates the upgrade, from a page of ours alone', async () => {
  const person = await signedIn(live, await live.party(0n))
  using client = await openSocket(live.url, { cookie: person.cookie, origin: ownOrigin })
  expect((await client.next(({ type }) => type === 'auth_success')).payload).toMatchObject({
    wallet: person.wallet,
    via: 'session',
  })
  using without = await openSocket(live.url, { cookie: person.cookie })
  expect((await without.next(({ type }) => type === 'welcome')).payload).toMatchObject({ authenticated: false })
  await expect(openSocket(live.url, { cookie: person.cookie, origin: 'https://evil.example' })).rejects.toThrow(
    'answered 403',
  )
  await expect(openSocket(live.url, { origin: 'null' })).rejects.toThrow('answered 403')
})

test('a host that is not served is refused', async () => {
  await expect(openSocket(live.url, { host: 'evil.example' })).rejects.toThrow('answered 401')
})

test('without an upgrade the path says what it takes', async () => {
  expect(await live.get('/ws')).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } })
})

test('a banned wallet cannot join, and hears nothing from the moment it is known', async () => {
  const party = await live.party(0n)
  using here = await authenticated(live.url, party.key)
  await subscribed(here, 'global')
  expectStatus(
    await sendJson(
      live.url,
      'PUT',
      `/api/v1/admin/workers/${party.wallet}/ban`,
      { banned: true, reason: 'Fake evidence.' },
      { 'x-admin-key': 'open sesame' },
    ),
    200,
  )
  const refused = await eventually(
    async () => {
      using again = await openSocket(live.url)
      again.send('auth', (await authFrame(party.key)).payload)
      return (await again.next(({ type }) => type.startsWith('auth_'))).payload
    },
    (payload) => payload['code'] !== undefined,
  )
  expect(refused).toMatchObject({ code: 'WALLET_BLOCKED' })
  const taskId = await publishTask()
  expect((await here.closed()).code).toBe(1008)
  expect(here.events().some((event) => event.taskId === taskId)).toBe(false)
})

test('counts are for the holder of the admin key', async () => {
  using client = await authenticated(live.url, worker.key)
  expect((await worker.call('GET', '/ws/stats')).body).toMatchObject({ code: 'INVALID_API_KEY' })
  const stats = await worker.call('GET', '/ws/stats', undefined, { 'x-admin-key': 'open sesame' })
  expect(stats).toMatchObject({
    status: 200,
    body: { connections: expect.any(Number), authenticated: expect.any(Number), rooms: expect.any(Number) },
  })
  expect(JSON.stringify(stats.body)).not.toContain('0x')
  await client.settled()
})

test.each([
  ['an oversized frame', 1009, (): string => JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(70_000) } })],
  ['bytes', 1003, (): Uint8Array => new Uint8Array([1, 2, 3])],
  ['no JSON', 1002, (): string => '{'],
  ['no object', 1002, (): string => '[]'],
  ['no type', 1002, (): string => '{"payload":{}}'],
] as const)('%s ends its own connection and no other', async (_what, code, make) => {
  using healthy = await authenticated(live.url, worker.key)
  using broken = await openSocket(live.url)
  broken.socket.send(make())
  expect((await broken.closed()).code).toBe(code)
  await healthy.settled()
})

test('whoever floods is told and closed', async () => {
  using healthy = await authenticated(live.url, worker.key)
  using flooding = await openSocket(live.url)
  for (let count = 0; count < 150; count += 1) flooding.send('ping')
  expect((await flooding.closed()).code).toBe(1008)
  expect(flooding.frames.find(({ type }) => type === 'error')?.payload).toMatchObject({ code: 'RATE_LIMITED' })
  await healthy.settled()
})

test('a cursor brings what was missed, first and once', async () => {
  const before = await authenticated(live.url, publisher.key)
  const first = await publishTask()
  const { cursor } = await before.next(({ payload }) => JSON.stringify(payload).includes(first))
  before[Symbol.dispose]()
  const missed = [await publishTask(), await publishTask(), await publishTask()]
  using after = await authenticated(live.url, publisher.key, cursor)
  const [fresh] = await Promise.all([publishTask(), subscribed(after, 'global', cursor)])
  await after.next(({ payload }) => JSON.stringify(payload).includes(fresh))
  const order = after.events().map(({ taskId }) => taskId)
  expect(order.slice(0, 3)).toEqual(missed)
  expect(order.filter((id) => id === fresh)).toHaveLength(1)
  expect(new Set(after.events().map(({ frame }) => frame.id)).size).toBe(after.events().length)
})
