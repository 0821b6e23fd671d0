import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { createClient, verifyWebhook, type Client } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation, type Constellation } from './constellation.ts'

/**
 * The server is killed while it delivers: what was queued, what was under way and what had failed go on (decision
 * 0068).
 */

const patienceMs = 180_000
const env = {
  server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_RATE_WALLET_PER_MIN: '100000', SVC_RATE_ANON_PER_MIN: '100000' },
}

let constellation: Constellation
beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true, env })
}, patienceMs)
afterAll(() => constellation.stop())

type Got = { readonly id: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }
type Endpoint = AsyncDisposable & {
  readonly url: string
  readonly got: readonly Got[]
  /** Null leaves the caller without an answer. */
  answer(status: number | null): void
}

/** Lives in this process, and so through the death of the server. */
async function openEndpoint(): Promise<Endpoint> {
  const got: Got[] = []
  let status: number | null = 200
  const server: Server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part
      })
      .on('end', () => {
        // The envelope of spec §6.
        const { type, data } = JSON.parse(body) as { readonly type: string; readonly data: { readonly token?: string } }
        if (type === 'webhook.challenge') {
          response.end(data.token)
          return
        }
        got.push({
          id: String(request.headers['webhook-id']),
          body,
          headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        })
        if (status !== null) response.writeHead(status).end()
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${String(port)}/hook`,
    got,
    answer(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function openClient(): Client {
  const { serverUrl, chainId } = constellation.record()
  if (serverUrl === undefined) throw new Error('the server is not running')
  return createClient({ baseUrl: serverUrl, chainId, signer: privateKeySigner(generatePrivateKey()) })
}

async function until(what: string, isSo: () => boolean | Promise<boolean>, ms = 90_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await isSo()); await pause(20))
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`)
}

async function activeAt(
  client: Client,
  endpoint: Endpoint,
): Promise<{ readonly webhook_id: string; readonly secret: string }> {
  const made = await client.webhooks.create({ url: endpoint.url, events: ['task.created'] })
  await client.webhooks.verify({ webhook_id: made.webhook_id })
  return made
}

const publish = (client: Client, title: string) =>
  client.tasks.publish({
    title,
    instructions: 'Count the chairs in the hall and write the number.',
    category: 'data_collection',
    bounty_usd: 1,
    evidence_required: ['text_response'],
  })

test(
  'a server killed amid deliveries brings every event at least once under one webhook-id, the same bytes each time',
  async () => {
    await using endpoint = await openEndpoint()
    const client = openClient()
    const { webhook_id, secret } = await activeAt(client, endpoint)
    const before = 6
    for (let count = 0; count < before; count += 1) await publish(client, `Before ${String(count)}`)
    await until('the first ones are delivered', () => endpoint.got.length === before)
    endpoint.answer(null)
    for (let count = 0; count < 20; count += 1) await publish(client, `Amid ${String(count)}`)
    await until('some are under way and others wait', () => endpoint.got.length >= before + 8)
    await constellation.restart('server')
    endpoint.answer(200)
    await publish(client, 'After')
    const { events } = await client.events.list({ limit: 100, types: 'task.created' })
    expect(events.length).toBe(before + 21)
    await until(
      'the log holds no delivery that waits',
      async () =>
        (await client.webhooks.deliveries({ webhook_id, status: 'pending' })).count === 0 &&
        new Set(endpoint.got.map(({ id }) => id)).size === events.length,
    )
    expect([...new Set(endpoint.got.map(({ id }) => id))].sort()).toEqual(events.map(({ id }) => id).sort())
    for (const { id } of events)
      expect(new Set(endpoint.got.filter((one) => one.id === id).map(({ body }) => body)).size).toBe(1)
    for (const { body, headers } of endpoint.got) await verifyWebhook(body, headers, secret)
    const { deliveries } = await client.webhooks.deliveries({ webhook_id, limit: 100 })
    const sent = deliveries.filter(({ kind }) => kind === 'event')
    expect(sent.map(({ event_id }) => event_id).sort()).toEqual(events.map(({ id }) => id).sort())
    expect(sent.every(({ status }) => status === 'delivered')).toBe(true)
  },
  patienceMs,
)

test(
  'the retry schedule of a failing endpoint goes on where it stood when the server was killed',
  async () => {
    await using endpoint = await openEndpoint()
    const client = openClient()
    const { webhook_id } = await activeAt(client, endpoint)
    endpoint.answer(500)
    await publish(client, 'It fails')
    const delivery = async () =>
      (await client.webhooks.deliveries({ webhook_id, limit: 100 })).deliveries.find(({ kind }) => kind === 'event')
    await until('the first failure is written down', async () => (await delivery())?.attempts.length === 1)
    const first = await delivery()
    await constellation.restart('server')
    expect((await delivery())?.attempts[0]).toEqual(first?.attempts[0])
    await until('the second attempt is written down', async () => (await delivery())?.attempts.length === 2)
    const second = await delivery()
    const [one, two] = (second?.attempts ?? []).map(({ at }) => Date.parse(at))
    expect(second?.attempts.map(({ attempt, response_status }) => [attempt, response_status])).toEqual([
      [1, 500],
      [2, 500],
    ])
    // After 5 s, then 5 min, each spread by a tenth (decision 0069).
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(4_500)
    expect(Date.parse(second?.next_attempt_at ?? '') - (two ?? 0)).toBeGreaterThanOrEqual(270_000)
    expect(Date.parse(second?.next_attempt_at ?? '') - (two ?? 0)).toBeLessThan(331_000)
    expect(new Set(endpoint.got.map(({ id }) => id)).size).toBe(1)
  },
  patienceMs,
)
