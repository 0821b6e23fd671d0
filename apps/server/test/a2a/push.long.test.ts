import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { JsonRpcTransport } from '@a2a-js/sdk/client'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { aTask, eventually, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { fetchAs } from './signing-fetch.ts'

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string }
/** An agent's own address; answers what it is told to. */
type Receiver = AsyncDisposable & { readonly url: string; readonly heard: Heard[]; status: number }

async function startReceiver(): Promise<Receiver> {
  const heard: Heard[] = []
  const receiver = { status: 200 }
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push({ headers: request.headers, body })
      response.writeHead(receiver.status).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${String(port)}/updates`,
    heard,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
      }),
  })
}

let live: LiveMarket
let publisher: Party
beforeAll(async () => {
  live = await startLiveMarket({ SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_ADMIN_KEY: adminKey })
  publisher = await live.party(100n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const clientOf = (party: Party, at = live): JsonRpcTransport =>
  new JsonRpcTransport({ endpoint: `http://${authority}/a2a`, fetchImpl: fetchAs(at.url, party) })
const published = async (): Promise<string> =>
  String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])
const typesOf = (heard: readonly Heard[]): unknown[] => heard.map(({ body }) => /"type":"([a-z._]+)"/.exec(body)?.[1])

test('an agent that named an address hears each event of its task once, in order, with its token, and nothing after the end', async () => {
  await using receiver = await startReceiver()
  const id = await published()
  const client = clientOf(publisher)
  expect(
    await client.setTaskPushNotificationConfig({
      taskId: id,
      pushNotificationConfig: {
        url: receiver.url,
        token: 'tok-1',
        authentication: { schemes: ['Bearer'], credentials: 'c-1' },
      },
    }),
  ).toEqual({
    taskId: id,
    pushNotificationConfig: { id, url: receiver.url, token: 'tok-1', authentication: { schemes: ['Bearer'] } },
  })
  await publisher.call('PUT', `/api/v1/tasks/${id}`, { title: 'Photograph the other gate' })
  await eventually(
    async () => receiver.heard.length,
    (length) => length > 0,
  )
  await publisher.call('DELETE', `/api/v1/tasks/${id}`)
  await eventually(
    async () => typesOf(receiver.heard).at(-1),
    (type) => type === 'task.cancelled',
  )
  expect(typesOf(receiver.heard).filter((type) => type !== 'task.created')).toEqual(['task.updated', 'task.cancelled'])
  for (const { headers } of receiver.heard)
    expect(headers).toMatchObject({
      'x-a2a-notification-token': 'tok-1',
      authorization: 'Bearer c-1',
      'content-type': 'application/json',
    })
  expect(JSON.parse(receiver.heard.at(-1)?.body ?? '')).toMatchObject({
    kind: 'task',
    id,
    contextId: id,
    status: { state: 'canceled' },
  })
  await eventually(
    () => client.listTaskPushNotificationConfig({ id }),
    (configs) => configs.length === 0,
  )
})

test('a banned wallet is posted nothing until its ban is lifted, and then what it missed', async () => {
  await using mine = await startReceiver()
  await using theirs = await startReceiver()
  const reader = await live.party(0n)
  const id = await published()
  const tell = (party: Party, { url }: Receiver) =>
    clientOf(party).setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { url } })
  await tell(publisher, mine)
  await tell(reader, theirs)
  const path = `/api/v1/admin/workers/${reader.wallet}/ban`
  const ban = (banned: boolean) =>
    asAdmin(live, 'PUT', path, { banned, reason: 'Fake evidence.' }, { 'x-admin-actor': 'ada' })
  expect((await ban(true)).status).toBe(200)
  await publisher.call('PUT', `/api/v1/tasks/${id}`, { title: 'Photograph the south gate' })
  await expect.poll(() => typesOf(mine.heard)).toContain('task.updated')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(theirs.heard).toEqual([])
  expect((await ban(false)).status).toBe(200)
  await expect.poll(() => typesOf(theirs.heard)).toContain('task.updated')
})

test('a message can name the address with the action', async () => {
  await using receiver = await startReceiver()
  const task = await clientOf(publisher).sendMessage({
    message: {
      kind: 'message',
      role: 'user',
      messageId: 'm-1',
      parts: [{ kind: 'data', data: { action: 'tasks/create', params: aTask() } }],
    },
    configuration: { pushNotificationConfig: { url: receiver.url } },
  })
  const id = task.kind === 'task' ? task.id : ''
  await publisher.call('DELETE', `/api/v1/tasks/${id}`)
  await eventually(
    async () => typesOf(receiver.heard).at(-1),
    (type) => type === 'task.cancelled',
  )
})

test('an address that fails is asked again where it stopped, and one that says 410 is forgotten', async () => {
  await using receiver = await startReceiver()
  const id = await published()
  const client = clientOf(publisher)
  receiver.status = 500
  await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { id: 'mine', url: receiver.url } })
  await publisher.call('PUT', `/api/v1/tasks/${id}`, { title: 'Photograph the north gate' })
  await eventually(
    async () => receiver.heard.length,
    (length) => length > 0,
  )
  const first = receiver.heard[0]?.body
  receiver.status = 410
  // The first wait is five seconds.
  await eventually(
    () => client.listTaskPushNotificationConfig({ id }),
    (configs) => configs.length === 0,
    15_000,
  )
  expect(receiver.heard[1]?.body).toBe(first)
  expect(receiver.heard[1]?.headers['x-idempotency-key']).toBe(receiver.heard[0]?.headers['x-idempotency-key'])
})

test('each wallet reads, replaces and deletes its own alone', async () => {
  const stranger = clientOf(await live.party(0n))
  const client = clientOf(publisher)
  const id = await published()
  for (const name of ['a', 'b', 'a'])
    await client.setTaskPushNotificationConfig({
      taskId: id,
      pushNotificationConfig: { id: name, url: `http://127.0.0.1:1/${name}` },
    })
  expect((await client.listTaskPushNotificationConfig({ id })).map((one) => one.pushNotificationConfig.id)).toEqual([
    'a',
    'b',
  ])
  expect(await client.getTaskPushNotificationConfig({ id, pushNotificationConfigId: 'b' })).toMatchObject({
    taskId: id,
    pushNotificationConfig: { id: 'b', url: 'http://127.0.0.1:1/b' },
  })
  expect(await stranger.listTaskPushNotificationConfig({ id })).toEqual([])
  await expect(stranger.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: 'a' })).rejects.toThrow(
    /Task not found/,
  )
  await client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: 'a' })
  await expect(client.getTaskPushNotificationConfig({ id, pushNotificationConfigId: 'a' })).rejects.toThrow(
    /Task not found/,
  )
})

test('addresses that never answer hold up nobody else', async () => {
  await using receiver = await startReceiver()
  const [slowId, id] = [await published(), await published()]
  const held: Socket[] = []
  const slow = createTcpServer((socket) => {
    held.push(socket)
  })
  await new Promise<void>((resolve) => {
    slow.listen(0, '127.0.0.1', resolve)
  })
  const { port } = slow.address() as AddressInfo // it listens on a port
  const client = clientOf(publisher)
  for (let at = 0; at < 24; at += 1) {
    await client.setTaskPushNotificationConfig({
      taskId: slowId,
      pushNotificationConfig: { id: `slow-${String(at)}`, url: `http://127.0.0.1:${String(port)}/${String(at)}` },
    })
  }
  await publisher.call('PUT', `/api/v1/tasks/${slowId}`, { title: 'Photograph the slow gate' })
  await eventually(
    async () => held.length,
    (count) => count >= 4,
  )
  await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { url: receiver.url } })
  const told = performance.now()
  await publisher.call('PUT', `/api/v1/tasks/${id}`, { title: 'Photograph the other gate' })
  await eventually(
    async () => receiver.heard.length,
    (length) => length > 0,
  )
  expect(performance.now() - told).toBeLessThan(5_000)
  expect(held.length).toBe(4)
  for (const socket of held) socket.destroy()
  await new Promise<void>((resolve) => {
    slow.close(() => {
      resolve()
    })
  })
  await publisher.call('DELETE', `/api/v1/tasks/${slowId}`)
})

test('addresses inside are refused, and a token is not to be read in the database', async () => {
  await using strict = await startLiveMarket()
  const party = await strict.party(10n)
  const id = String((await party.call('POST', '/api/v1/tasks', aTask())).body['id'])
  const client = clientOf(party, strict)
  for (const url of [
    'http://127.0.0.1:9/x',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://user:pw@example.com/',
    'ftp://example.com/x',
    'https://example.com:25/x',
  ]) {
    await expect(
      client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { url } }),
      url,
    ).rejects.toThrow(/-32602/)
  }
  await client.setTaskPushNotificationConfig({
    taskId: id,
    pushNotificationConfig: { url: 'https://example.com/x', token: 'token-in-the-clear' },
  })
  const database = new pg.Client({ connectionString: strict.databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ secrets: Buffer }>('select secrets from a2a_push_configs')
  await database.end()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.secrets.toString('latin1')).not.toContain('token-in-the-clear')
})
