import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { signed } from '../dispatch/tiny-service.ts'
import {
  aTask,
  applied,
  assign,
  expectStatus,
  paymentAuth,
  submit,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { body, legacyClient, modernClient, signingFetch, startLiveTools } from './live-tools.ts'

/** What hosts build on: schemas, hints, progress, cursors and batches, seen by public clients. */
let live: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveTools()
  publisher = await live.party(10n)
  worker = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

type Schema = Readonly<Record<string, { readonly type?: unknown; readonly enum?: unknown; readonly items?: unknown }>>

test('every tool tells the fields of its answer, and the words an argument may be', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const { tools } = await host.client.listTools()
  const shapes = new Map(
    tools.map(({ name, inputSchema, outputSchema }) => [
      name,
      { takes: inputSchema.properties as Schema, answers: outputSchema?.['properties'] as Schema },
    ]),
  )
  for (const [name, { answers }] of shapes) expect(Object.keys(answers).length, name).toBeGreaterThan(3)
  expect(shapes.get('svc_get_task')?.answers).toMatchObject({
    id: { type: 'string' },
    bounty_usd: { type: 'number' },
    code: { type: 'string' },
  })
  expect(shapes.get('svc_publish_task')?.takes).toMatchObject({
    category: { enum: expect.arrayContaining(['research']) },
    evidence_required: { items: { enum: expect.arrayContaining(['photo']) } },
    target_executor_type: { enum: ['any', 'human', 'agent', 'robot'] },
  })
  expect(shapes.get('svc_approve_submission')?.takes).toHaveProperty('approval')
})

test('who checks a submission leaves a mark, and the hint says so', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const seen = async (): Promise<unknown> =>
    (await worker.call('GET', `/api/v1/submissions/${submissionId}`)).body['evidence_accessed_at']
  expect(await seen()).toBeNull()
  body(await host.call('svc_check_submission', { task_id: job.taskId }))
  expect(await seen()).toEqual(expect.any(String))
  const { tools } = await host.client.listTools()
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints.get('svc_check_submission')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(hints.get('svc_get_submission')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(hints.get('svc_get_upload_link')).toMatchObject({ readOnlyHint: false, idempotentHint: false })
  expect(hints.get('svc_get_task')).toMatchObject({ readOnlyHint: true })
})

test.each([
  ['2026-07-28', modernClient],
  ['2025-11-25', legacyClient],
] as const)('a client of %s hears of a call that takes long, and of no other', async (_era, connect) => {
  await using host = await connect(live.url, signingFetch(publisher.signer))
  const heard: number[] = []
  const waiting = (wait_seconds: number) =>
    host.client.callTool(
      { name: 'svc_wait_for_event', arguments: { cursor: 'now', types: 'task.expired', wait_seconds } },
      { onprogress: ({ progress }) => heard.push(progress), timeout: 4_000, resetTimeoutOnProgress: true },
    )
  // Longer than the client waits for what says nothing.
  expect((await waiting(7)).isError).not.toBe(true)
  expect(heard.length).toBeGreaterThanOrEqual(2)
  expect(heard).toEqual(heard.toSorted((one, other) => one - other))
  heard.length = 0
  await waiting(0)
  expect(heard).toEqual([])
})

describe('a cursor that was not handed out is refused', () => {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const
  test.each(lists)('%s', async (method) => {
    for (const connect of [modernClient, legacyClient]) {
      await using host = await connect(live.url, signingFetch(publisher.signer))
      await expect(host.client.request({ method, params: { cursor: 'garbage' } })).rejects.toMatchObject({
        code: -32602,
      })
    }
  })
  test.each([
    ['svc_wait_for_event', { cursor: 'garbage' }],
    ['svc_get_tasks', { cursor: 'garbage' }],
    ['svc_browse_agent_tasks', { cursor: 'garbage' }],
    ['svc_browse_services', { cursor: 'garbage' }],
    ['svc_get_applications', { cursor: 'garbage', task_id: '00000000-0000-7000-8000-000000000000' }],
  ])('%s', async (tool, args) => {
    await using host = await modernClient(live.url, signingFetch(publisher.signer))
    expect((await host.call(tool, args)).isError).toBe(true)
  })
})

describe('batches of 2025-03-26', () => {
  const call = (id: number, name: string, args: object = {}): JSONRPCMessage => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const post = async (messages: unknown, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(messages)
    const accept = { accept: 'application/json, text/event-stream', ...headers }
    return send(
      live.url,
      'POST',
      '/mcp/',
      await signed('POST', '/mcp/', text, { key: publisher.key, headers: accept }),
      text,
    )
  }

  test('the public client of that time gets an answer to each request', async () => {
    const answers: JSONRPCMessage[] = []
    const transport = new OldTransport(new URL('/mcp/', live.url), { fetch: signingFetch(publisher.signer) })
    const client = new OldClient({ name: 'a test', version: '1' })
    await client.connect(transport)
    // It keeps the revision it agreed on; that of batches has no header.
    transport.setProtocolVersion('2025-03-26')
    transport.onmessage = (message) => answers.push(message)
    await transport.send([
      call(71, 'svc_get_fees'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(72, 'svc_server_status'),
      call(73, 'svc_get_task', { task_id: 'none' }),
    ])
    expect(answers).toMatchObject([
      { id: 71, result: { structuredContent: { fee_bps: 1300 } } },
      { id: 72, result: { structuredContent: { status: 'healthy' } } },
      { id: 73, result: { isError: true } },
    ])
    await client.close()
  })

  test('amounts in a batch are read to the last digit', async () => {
    const text =
      '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_get_fees","arguments":{"bounty_usd":1.00000001}}}]'
    const headers = await signed('POST', '/mcp/', text, {
      key: publisher.key,
      headers: { accept: 'application/json, text/event-stream' },
    })
    const reply = await send(live.url, 'POST', '/mcp/', headers, text)
    expect(reply.body).toMatchObject([{ id: 1, result: { isError: true } }])
  })

  test('notifications alone are taken without an answer', async () => {
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202)
  })

  test.each([
    ['with a beginning in it', [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }], {}],
    ['of a revision that has none', [call(1, 'svc_get_fees')], { 'mcp-protocol-version': '2025-06-18' }],
    ['of nothing', [], {}],
  ])('one %s is refused', async (_says, messages, headers) => {
    const reply = await post(messages, headers)
    expect([reply.status, reply.body['error']]).toMatchObject([400, { code: -32600 }])
  })

  test('more than twenty are no batch', async () => {
    const many = Array.from({ length: 21 }, (_, id) => call(id, 'svc_get_fees'))
    expect((await post(many)).body['error']).toMatchObject({ code: -32700 })
    expect((await post(many.slice(1))).body).toHaveLength(20)
  })
})

test('a page that is too long for a model has fewer rows, and its cursor goes on behind them', async () => {
  const owner = await live.party(0n)
  await using host = await modernClient(live.url, signingFetch(owner.signer))
  const instructions = 'Count the boats in the harbour at noon and write down how many there are. '.repeat(6)
  const said: string[] = []
  for (let n = 0; n < 100; n += 1) {
    const { id } = body(await host.call('svc_publish_task', aTask({ title: `Boats, ${String(n)}`, instructions })))
    said.unshift(String(id))
  }
  const read: string[] = []
  let cursor: unknown
  for (let pages = 0; cursor !== null; pages += 1) {
    expect(pages).toBeLessThan(5)
    const given = { agent_id: owner.signer.address, limit: 100 }
    const answer = body(await host.call('svc_get_tasks', typeof cursor === 'string' ? { ...given, cursor } : given))
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(80_000)
    read.push(...(answer['tasks'] as { id: string }[]).map(({ id }) => id))
    cursor = answer['next_cursor']
    expect(answer['has_more']).toBe(cursor !== null)
  }
  expect(read).toEqual(said)
})
