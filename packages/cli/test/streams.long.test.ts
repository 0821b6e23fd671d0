import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { startConstellation, type Constellation } from '@ergon/dev-env'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binary, openTerminal, type Terminal } from './binary.ts'

let constellation: Constellation
let terminal: Terminal
let hook: Server
let hookUrl: string
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
const patienceMs = 180_000
const task = {
  title: 'Photograph the notice board',
  instructions: 'Take one photo of the notice board at the town hall and send it.',
  category: 'simple_action',
  bounty_usd: 1,
  evidence_required: ['text_response'],
}

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  const { serverUrl, rpcUrl } = constellation.record()
  if (serverUrl === undefined) throw new Error('the constellation has a server')
  terminal = openTerminal({ ERGON_URL: serverUrl, ERGON_RPC_URL: rpcUrl })
  expect(await terminal.json(['init', '--network', 'localnet'])).toMatchObject({ code: 0 })
  expect(await terminal.json(['faucet', '5'])).toMatchObject({ code: 0 })
  hook = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  // A TCP server that listens has an address of this kind.
  hookUrl = `http://127.0.0.1:${String((hook.address() as AddressInfo).port)}/hook`
}, patienceMs)
afterAll(async () => {
  hook.close()
  terminal[Symbol.dispose]()
  await constellation.stop()
})

/**
 * What a receiver reads with the library of Standard Webhooks. @throws when the signature is not by this secret, or not
 * now
 */
function verified(
  secret: string,
  { headers, body }: (typeof received)[number],
): { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> } {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  // The library answers the parsed body; the tests look at what they name.
  return new Webhook(secret).verify(body, plain) as ReturnType<typeof verified>
}

const publish = (ref: string): ReturnType<typeof terminal.json<{ id: string }>> =>
  terminal.json<{ id: string }>(['task', 'publish', '-f', '-', '--ref', ref], { input: JSON.stringify(task) })

test(
  'trigger sends a made-up event that a receiver can verify',
  async () => {
    const sent = await terminal.json<{ secret: string; event: { id: string } }>([
      'trigger',
      'task.completed',
      '--forward-to',
      hookUrl,
      '--data',
      '{"bounty_usd":2}',
    ])
    expect(sent).toMatchObject({ code: 0, data: { status: 204 } })
    const [delivery] = received.splice(0)
    if (delivery === undefined) throw new Error('nothing arrived')
    expect(delivery.headers['webhook-id']).toBe(sent.data.event.id)
    expect(verified(sent.data.secret, delivery)).toMatchObject({
      id: sent.data.event.id,
      type: 'task.completed',
      data: { bounty_usd: 2 },
    })
    expect(() => verified(`whsec_${Buffer.alloc(24).toString('base64')}`, delivery)).toThrow()
    expect(() => verified(sent.data.secret, { ...delivery, body: delivery.body.replace('2', '3') })).toThrow()
    expect(await terminal.json(['trigger', 'task.flown', '--forward-to', hookUrl])).toMatchObject({ code: 2 })
    expect(await terminal.json(['trigger', 'task.created', '--forward-to', 'http://127.0.0.1:9/'])).toMatchObject({
      code: 16,
      error: { code: 'NOT_DELIVERED' },
    })
  },
  patienceMs,
)

test(
  'listen forwards what happens, signed with the secret of its session',
  async () => {
    const child = spawn(
      process.execPath,
      [binary, 'listen', '--forward-to', hookUrl, '--types', 'task.created,task.cancelled', '--count', '2', '--json'],
      { env: { ...terminal.env }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const lines: unknown[] = []
    const ready = new Promise<{ readonly secret: string }>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(JSON.parse(line))
        // The first line says that it listens.
        if (lines.length === 1) resolve(lines[0] as { readonly secret: string })
      })
    })
    const { secret } = await ready
    const { data } = await publish('listen')
    await terminal.json(['task', 'cancel', data.id, '--yes'])
    expect(await ended).toBe(0)
    const deliveries = received.splice(0)
    const brought = deliveries.map((delivery) => verified(secret, delivery))
    expect(brought.map(({ type, data: { task_id } }) => [type, task_id])).toEqual([
      ['task.created', data.id],
      ['task.cancelled', data.id],
    ])
    expect(deliveries.map(({ headers }) => headers['webhook-id'])).toEqual(brought.map(({ id }) => id))
    expect(lines.at(-1)).toMatchObject({ ok: true, command: 'listen', data: { count: 2 } })
  },
  patienceMs,
)

test(
  'events are listed in order and go on from a place',
  async () => {
    const {
      data: { id },
    } = await publish('events')
    await terminal.json(['task', 'cancel', id, '--yes'])
    const all = await terminal.json<{ events: readonly { type: string; cursor: string }[] }>(['events', '--task', id])
    expect(all.data.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['task.created', 'task.cancelled']))
    const rest = await terminal.json<{ events: readonly unknown[] }>([
      'events',
      '--task',
      id,
      '--cursor',
      all.data.events[0]?.cursor ?? '',
    ])
    expect(rest.data.events).toEqual(all.data.events.slice(1))
  },
  patienceMs,
)

test(
  'Ctrl-C ends a tail with what it has seen',
  async () => {
    const child = spawn(process.execPath, [binary, 'events', '--follow', '--json'], {
      env: { ...terminal.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const out = text(child.stdout)
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(JSON.parse((await out).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ ok: true, command: 'events' })
  },
  patienceMs,
)

const clients = {
  'the client of the current revision': async (transport: {
    readonly command: string
    readonly args: string[]
    readonly env: Record<string, string>
  }) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StdioClientTransport({ ...transport, stderr: 'inherit' }))
    return client
  },
  'the client of the revision before': async (transport: {
    readonly command: string
    readonly args: string[]
    readonly env: Record<string, string>
  }) => {
    const client = new OldClient({ name: 'test', version: '1' })
    await client.connect(new OldTransport({ ...transport, stderr: 'inherit' }))
    return client
  },
}

test.each(Object.entries(clients))(
  '%s on stdio acts as the wallet of the profile',
  async (name, connect) => {
    const client = await connect({
      command: process.execPath,
      args: [binary, 'mcp', 'serve'],
      env: { ...terminal.env },
    })
    try {
      expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('svc_publish_task')
      const published = await client.callTool({
        name: 'svc_publish_task',
        arguments: { ...task, title: `A task of ${name}` },
      })
      expect(published.isError, JSON.stringify(published.content)).not.toBe(true)
      const { data } = await terminal.json<{ address: string }>(['whoami'])
      const { id } = published.structuredContent as { readonly id: string } // the tool's output schema
      expect(await terminal.json(['task', 'show', id])).toMatchObject({ code: 0, data: { agent_id: data.address } })
      expect(
        await client.callTool({ name: 'svc_get_task', arguments: { task_id: '00000000-0000-4000-8000-000000000000' } }),
      ).toMatchObject({ isError: true })
    } finally {
      await client.close()
    }
  },
  patienceMs,
)
