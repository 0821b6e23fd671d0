import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { listen, type Listening } from '../http/event-lines.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { createTokens, messageOf } from './tokens.ts'

/** A subscription is told more only for as long as its reader would be let in. */
const tokens = createTokens()
let live: LiveMarket
let publisher: Party
/** What the publisher hears: told in one round with what subscriptions are told. */
let heard: Listening
beforeAll(async () => {
  live = await startLiveMarket({ SVC_ADMIN_KEY: adminKey }, undefined, { grants: tokens.grants })
  publisher = await live.party(0n)
  const stream = '/api/v1/events/stream?cursor=now'
  const headers = await signed('GET', stream, undefined, { key: publisher.key })
  heard = await listen(live.url, stream, { host: authority, ...headers })
})
afterAll(async () => {
  await heard[Symbol.asyncDispose]()
  await live[Symbol.asyncDispose]()
})

/** A task whose publication was told: who subscribes to it is not told of its publication. */
async function publish(): Promise<string> {
  const id = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  await expect.poll(() => heard.text()).toContain(id)
  return id
}
/** Of what everybody may hear. */
const change = async (taskId: string): Promise<void> => {
  expectStatus(await publisher.call('PUT', `/api/v1/tasks/${taskId}`, { title: 'Photograph the other door' }), 200)
}
/** Of what only the publisher and whoever applies may hear. */
const apply = async (taskId: string): Promise<void> => {
  expectStatus(await (await live.party(0n)).call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
}
const told = (stream: Listening): readonly unknown[] => stream.frames().map(({ data }) => data['method'])
const acknowledged = 'notifications/subscriptions/acknowledged'
const updated = 'notifications/resources/updated'

type Proof = (message: { readonly text: string; readonly headers: Record<string, string> }) => Promise<object>

async function subscribe(place: string, prove: Proof): Promise<Listening> {
  const notifications = { resourceSubscriptions: [`svc://tasks/${place}`] }
  const message = messageOf({ method: 'subscriptions/listen', params: { notifications } })
  const headers = { host: authority, ...message.headers, ...(await prove(message)) }
  return listen(live.url, '/mcp', headers, message.text)
}

async function subscribed(taskId: string, prove: Proof): Promise<Listening> {
  const stream = await subscribe(taskId, prove)
  await expect.poll(() => told(stream)).toEqual([acknowledged])
  return stream
}
const bearing =
  (token: string): Proof =>
  () =>
    Promise.resolve({ authorization: `Bearer ${token}` })

test('a subscription ends with a ban, and is told nothing after it', async () => {
  const reader = await live.party(0n)
  const taskId = await publish()
  const prove: Proof = ({ text, headers }) => signed('POST', '/mcp', text, { key: reader.key, headers })
  await using stream = await subscribed(taskId, prove)
  const ban = { banned: true, reason: 'Fake evidence.' }
  const path = `/api/v1/admin/workers/${reader.wallet}/ban`
  expectStatus(await asAdmin(live, 'PUT', path, ban, { 'x-admin-actor': 'ada' }), 200)
  await change(taskId)
  await stream.ended
  expect(told(stream)).toEqual([acknowledged])
  await using again = await subscribe(taskId, prove)
  await again.ended
  expect([again.status, again.text()]).toEqual([403, expect.stringContaining('WALLET_BLOCKED')])
})

test('a subscription hears until its grant is taken back, and outlives a moment when nobody can be asked', async () => {
  const token = tokens.issue((await live.party(0n)).wallet)
  const taskId = await publish()
  await using stream = await subscribed(taskId, bearing(token))
  await change(taskId)
  await expect.poll(() => told(stream)).toEqual([acknowledged, updated])
  tokens.away(true)
  await change(taskId)
  await expect.poll(() => told(stream)).toEqual([acknowledged, updated, updated])
  tokens.away(false)
  tokens.revoke(token)
  await change(taskId)
  await stream.ended
  expect(told(stream)).toEqual([acknowledged, updated, updated])
})

test('a subscription ends with the token that opened it', async () => {
  const taskId = await publish()
  const { wallet } = await live.party(0n)
  const expiresAt = Date.now() + 4_000
  await using stream = await subscribed(taskId, bearing(tokens.issue(wallet, { expiresAt: new Date(expiresAt) })))
  await new Promise((resolve) => setTimeout(resolve, expiresAt + 100 - Date.now()))
  await change(taskId)
  await stream.ended
  expect(told(stream)).toEqual([acknowledged])
})

test('a subscription tells of what its wallet may hear of: a stranger learns of no application', async () => {
  const taskId = await publish()
  await using owner = await subscribed(taskId, bearing(tokens.issue(publisher.wallet)))
  await using stranger = await subscribed(taskId, bearing(tokens.issue((await live.party(0n)).wallet)))
  await change(taskId)
  await apply(taskId)
  await expect.poll(() => told(owner)).toEqual([acknowledged, updated, updated])
  // In the order in which they happen, and the application was told already.
  await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {})
  await expect.poll(() => told(owner)).toEqual([acknowledged, updated, updated, updated])
  await expect.poll(() => told(stranger)).toEqual([acknowledged, updated, updated])
})

test('where the service meters no tasks, a subscription to a meter says so', async () => {
  const taskId = await publish()
  await using stream = await subscribe(`${taskId}/meter`, bearing(tokens.issue(publisher.wallet)))
  await stream.ended
  expect([stream.status, stream.text()]).toEqual([404, expect.stringContaining('FEATURE_DISABLED')])
})
