import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  assign,
  approveFields,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'

let live: LiveMarket
let publisher: Party
let worker: Party
let taskId: string
beforeAll(async () => {
  live = await startLiveMarket()
  publisher = await live.party(100n)
  worker = await live.party(0n)
  taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const json = { host: authority, 'content-type': 'application/json' }
const raw = (body: string | Uint8Array, headers: Record<string, string> = json): Promise<Reply> =>
  send(live.url, 'POST', '/a2a', headers, body)
const rpc = (method: string, params?: unknown, id: unknown = 1): Promise<Reply> =>
  raw(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
const rpcAs = (party: Party, method: string, params?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  party.call('POST', '/a2a', { jsonrpc: '2.0', id: 1, method, params }, headers)
type RpcFailure = {
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> & { readonly detail: Readonly<Record<string, unknown>> }
}
const errorOf = (reply: Reply): RpcFailure => reply.body['error'] as RpcFailure // asserted on by who asks
const resultOf = (reply: Reply): Readonly<Record<string, unknown>> => {
  if (reply.status !== 200 || reply.body['error'] !== undefined)
    throw new Error(`expected a result, received ${String(reply.status)} ${JSON.stringify(reply.body)}`)
  return reply.body['result'] as Readonly<Record<string, unknown>> // a result is an object here
}
const call = (method: unknown, more: object = {}): string => JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...more })
const message = (parts: readonly unknown[], more: object = {}): object => ({
  message: { role: 'user', messageId: 'm-1', parts, ...more },
})

describe('what is not a request is answered by the protocol’s own error, with status 200', () => {
  const big = 'x'.repeat(500_000)
  test.each<[string, string | Uint8Array, number, unknown]>([
    ['nothing', '', -32700, null],
    ['no JSON', '{"jsonrpc"', -32700, null],
    ['bytes that are no text', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), -32700, null],
    ['a batch', `[${call('agent/info')},${call('agent/info')}]`, -32600, null],
    ['an empty batch', '[]', -32600, null],
    ['a number', '1', -32600, null],
    ['null', 'null', -32600, null],
    ['a repeated key', '{"jsonrpc":"2.0","id":1,"id":2,"method":"agent/info"}', -32600, null],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"agent/info"}', -32600, 7],
    ['no version', '{"id":7,"method":"agent/info"}', -32600, 7],
    ['no method', '{"jsonrpc":"2.0","id":7}', -32600, 7],
    ['a method that is a number', call(1), -32600, 7],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"agent/info"}', -32600, null],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"agent/info"}', -32600, null],
    ['an unknown method', call('tasks/steal'), -32601, 7],
    ['a method named like a part of every object', call('constructor'), -32601, 7],
    ['a long method', call(big), -32601, 7],
    ['params that are a list', call('tasks/get', { params: [taskId] }), -32602, 7],
    ['params that are text', call('tasks/get', { params: 'x' }), -32602, 7],
    ['a task by neither name', call('tasks/get', { params: {} }), -32602, 7],
    [
      'a task by both names',
      call('tasks/get', {
        params: { id: '0193c1f0-0000-7000-8000-000000000000', task_id: '0193c1f0-0000-7000-8000-000000000000' },
      }),
      -32602,
      7,
    ],
    ['a task by a number', call('tasks/get', { params: { id: 4 } }), -32602, 7],
    [
      'a negative history',
      call('tasks/get', { params: { id: '0193c1f0-0000-7000-8000-000000000000', historyLength: -1 } }),
      -32602,
      7,
    ],
    [
      'a field the market does not know',
      call('tasks/get', { params: { task_id: '0193c1f0-0000-7000-8000-000000000000', extra: 1 } }),
      -32602,
      7,
    ],
    [
      'a task nobody published',
      call('tasks/get', { params: { id: '0193c1f0-0000-7000-8000-000000000000' } }),
      -32001,
      7,
    ],
    [
      'the same in the market’s words',
      call('tasks/get', { params: { task_id: '0193c1f0-0000-7000-8000-000000000000' } }),
      -32001,
      7,
    ],
    ['a message without parts', call('message/send', { params: message([]) }), -32602, 7],
    ['a message without words', call('message/send', { params: message([{ kind: 'text', text: '  ' }]) }), -32602, 7],
    ['a part of another kind', call('message/send', { params: message([{ kind: 'video' }]) }), -32602, 7],
    ['a file', call('message/send', { params: message([{ kind: 'file', file: { bytes: 'AA==' } }]) }), -32005, 7],
    [
      'an unknown action',
      call('message/send', { params: message([{ kind: 'data', data: { action: 'tasks/steal' } }]) }),
      -32004,
      7,
    ],
    [
      'two actions',
      call('message/send', {
        params: message([
          { kind: 'data', data: { action: 'tasks/list' } },
          { kind: 'data', data: { action: 'tasks/list' } },
        ]),
      }),
      -32602,
      7,
    ],
    [
      'an action whose params are a list',
      call('message/send', { params: message([{ kind: 'data', data: { action: 'tasks/list', params: [] } }]) }),
      -32602,
      7,
    ],
    [
      'a stream of a task nobody published',
      call('tasks/resubscribe', { params: { id: '0193c1f0-0000-7000-8000-000000000000' } }),
      -32001,
      7,
    ],
  ])('%s', async (_name, body, code, id) => {
    const reply = await raw(body)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', id, error: { code, data: { detail: { retryable: false } } } })
    expect(Object.keys(reply.body).sort()).toEqual(['error', 'id', 'jsonrpc'])
  })
})

test.each([
  ['text', 'a-1'],
  ['a number', 42],
  ['zero', 0],
  ['a fraction', 1.5],
  ['null', null],
])('an id that is %s comes back', async (_kind, id) => {
  const { body } = await rpc('agent/info', undefined, id)
  expect(body).toMatchObject({
    jsonrpc: '2.0',
    id,
    result: { name: 'Ergon', protocols: { a2a: { version: '0.3.0' } } },
  })
})

test('a notification answers nothing, also where it fails', async () => {
  for (const body of ['{"jsonrpc":"2.0","method":"agent/info"}', '{"jsonrpc":"2.0","method":"no/such"}'])
    expect(await raw(body)).toMatchObject({ status: 204, body: {} })
})

test('one address speaks both dialects: task_id reads the record, id reads a Task', async () => {
  const record = resultOf(await rpc('tasks/get', { task_id: taskId }))
  expect(record).toEqual((await live.get(`/api/v1/tasks/${taskId}`)).body)
  expect(resultOf(await rpc('tasks/get', { id: taskId }))).toMatchObject({
    kind: 'task',
    id: taskId,
    contextId: taskId,
    status: { state: 'submitted', message: { parts: [{ kind: 'text' }, { kind: 'data', data: { task: record } }] } },
  })
})

test('the four methods of the specification play a job: create, get, approve', async () => {
  const created = resultOf(
    await rpcAs(publisher, 'tasks/create', {
      title: 'Photograph the gate',
      category: 'simple_action',
      bounty_usd: 1.07,
      deadline_hours: 5,
      evidence_required: ['text_response'],
    }),
  )
  const id = String(created['id'])
  expect(created).toMatchObject({ status: 'published', bounty_usd: 1.07 })
  expect(resultOf(await rpc('tasks/get', { task_id: id }))['instructions']).toBe(
    'Photograph the gate\n\nHand in: text_response.',
  )
  const application = expectStatus(await worker.call('POST', `/api/v1/tasks/${id}/apply`, {}), 201)
  const job = { taskId: id, executorId: String(application.body['executor_id']) }
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submission_id = await submit(worker, id)
  const refused = await rpcAs(publisher, 'tasks/approve', { submission_id, rating: 90, feedback: 'Sharp.' })
  expect(refused).toMatchObject({
    status: 200,
    body: {
      error: {
        code: -32049,
        data: { code: 'LIFECYCLE_ORDER_REQUIRED', challenge: { submission_id }, wallet_action: { kind: 'eip712' } },
      },
    },
  })
  expect(
    resultOf(
      await rpcAs(publisher, 'tasks/approve', { submission_id, ...(await approveFields(publisher, submission_id)) }),
    ),
  ).toMatchObject({ submission_id, status: 'approved', worker_net_usdc: 0.9309 })
  expect(resultOf(await rpc('tasks/get', { task_id: id }))['status']).toBe('completed')
})

test('what is refused over REST is refused here with the same code, retryable and details', async () => {
  const rows: readonly [string, object, number][] = [
    ['tasks/create', aTask({ bounty_usd: 0.001 }), -32602],
    ['tasks/create', aTask({ bounty_usd: 1.1234567 }), -32602],
    ['tasks/create', aTask({ colour: 'red' }), -32602],
    ['tasks/create', aTask({ title: 'I offer to photograph your gate' }), -32062],
    ['tasks/create', aTask({ network: 'atlantis' }), -32062],
  ]
  for (const [method, params, code] of rows) {
    const over = await rpcAs(publisher, method, params)
    const rest = await publisher.call('POST', '/api/v1/tasks', params)
    expect(over.status, JSON.stringify(over.body)).toBe(200)
    expect(rest.status, JSON.stringify(rest.body)).toBeGreaterThanOrEqual(400)
    const {
      request_id: _theirs,
      detail: { ref: _ref, ...detail },
      ...said
    } = errorOf(over).data
    const { request_id: _ours, detail: { ref: _same, ...expected } = {}, ...body } = rest.body
    expect([errorOf(over).code, said, detail]).toEqual([code, body, expected])
  }
})

test('a decimal is read from its text wherever it is', async () => {
  const text = (bounty: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tasks/create","params":${JSON.stringify(aTask()).replace('1.07', bounty)}}`
  expect(errorOf(await publisher.call('POST', '/a2a', text('1.00000000000000000001'))).code).toBe(-32602)
  expect(resultOf(await publisher.call('POST', '/a2a', text('1.070000')))['bounty_usd']).toBe(1.07)
})

test('the same key and body answer the same task over both, and another body is refused', async () => {
  const key = { 'x-idempotency-key': 'job-1' }
  const first = resultOf(await rpcAs(publisher, 'tasks/create', aTask(), key))
  const again = await rpcAs(publisher, 'tasks/create', aTask(), key)
  expect(resultOf(again)['id']).toBe(first['id'])
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect((await publisher.call('POST', '/api/v1/tasks', aTask(), key)).body['id']).toBe(first['id'])
  expect(errorOf(await rpcAs(publisher, 'tasks/create', aTask({ bounty_usd: 2 }), key))).toMatchObject({
    code: -32062,
    data: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
})

test('who asks is settled at the transport: unsigned changes are 401, any bearer is 403, half a signature is 401', async () => {
  for (const [method, params] of [
    ['tasks/create', aTask()],
    ['tasks/approve', { submission_id: taskId }],
    ['tasks/cancel', { id: taskId }],
    ['agent/getAuthenticatedExtendedCard', {}],
  ] as const) {
    const reply = await rpc(method, params)
    expect(reply, method).toMatchObject({
      status: 401,
      body: { id: 1, error: { code: -32041, data: { code: 'UNAUTHORIZED', detail: { retryable: false } } } },
    })
    expect(reply.headers['www-authenticate']).toContain('ERC8128')
  }
  expect(await raw(call('agent/info'), { ...json, authorization: 'Bearer x' })).toMatchObject({
    status: 403,
    body: { code: 'API_KEY_REFUSED' },
  })
  expect(await raw(call('agent/info'), { ...json, signature: 'eth=:AA==:' })).toMatchObject({
    status: 401,
    body: { error: { code: -32041, data: { code: 'INVALID_SIGNATURE_HEADERS' } } },
  })
  expect(await raw(call('agent/info'), { host: authority, 'content-type': 'text/plain' })).toMatchObject({
    status: 415,
    body: { error: { code: -32600 } },
  })
  expect(
    await raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'agent/info', params: { pad: 'x'.repeat(1_048_576) } })),
  ).toMatchObject({ status: 413, body: { code: 'request_body_too_large' } })
  expect(await send(live.url, 'GET', '/a2a', { host: authority })).toMatchObject({ status: 405 })
})

test('a stranger changes nothing of a task, and reads no evidence of it', async () => {
  const stranger = await live.party(0n)
  const job = await applied(publisher, worker)
  expect(errorOf(await rpcAs(stranger, 'tasks/cancel', { id: job.taskId }))).toMatchObject({
    code: -32043,
    data: { code: 'FORBIDDEN' },
  })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await submit(worker, job.taskId)
  expect(resultOf(await rpcAs(stranger, 'tasks/get', { id: job.taskId }))['artifacts']).toBeUndefined()
  expect(resultOf(await rpcAs(worker, 'tasks/get', { id: job.taskId }))['artifacts']).toHaveLength(1)
})

test('an unknown id of any shape is TaskNotFound, to whoever asks', async () => {
  for (const id of ['nothing', '', '00000000-0000-4000-8000-000000000000', 'x'.repeat(500)])
    for (const [method, field] of [
      ['tasks/get', 'id'],
      ['tasks/get', 'task_id'],
      ['tasks/cancel', 'id'],
      ['tasks/resubscribe', 'id'],
    ] as const) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { [field]: id } })
      const answer = await fetch(`${live.url}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect([method, answer.status, await answer.json()]).toMatchObject([method, 200, { error: { code: -32001 } }])
    }
})

test('a message about a task is about one that exists, and about one alone', async () => {
  const words = [{ kind: 'text', text: 'How is it going?' }]
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const method of ['message/send', 'message/stream', 'SendMessage'])
    for (const id of ['nothing', nobody])
      expect(errorOf(await rpc(method, message(words, { taskId: id })))).toMatchObject({ code: -32001 })
  expect(resultOf(await rpc('message/send', message(words, { taskId })))).toMatchObject({ kind: 'message' })

  const read = (task_id: string) => [{ kind: 'data', data: { action: 'tasks/get', params: { task_id } } }]
  expect(resultOf(await rpc('message/send', message(read(taskId), { taskId })))).toMatchObject({ kind: 'message' })
  expect(errorOf(await rpc('message/send', message(read(taskId), { taskId: nobody })))).toMatchObject({
    code: -32602,
    message: expect.stringContaining('name two tasks') as string,
  })
})

test('an address for updates that is never asked is refused before the message acts', async () => {
  const title = 'Photograph the gate that nobody posts to'
  const parts = [{ kind: 'data', data: { action: 'tasks/create', params: aTask({ title }) } }]
  const pushNotificationConfig = { url: 'https://169.254.169.254/latest' }
  const answer = await rpcAs(publisher, 'message/send', {
    ...message(parts, { messageId: 'm-address' }),
    configuration: { pushNotificationConfig },
  })
  expect(errorOf(answer).code).toBe(-32602)
  const listed = await publisher.call('GET', `/api/v1/tasks?publisher=${publisher.wallet}&limit=50`)
  expect(JSON.stringify(expectStatus(listed, 200).body)).toContain(taskId)
  expect(JSON.stringify(listed.body)).not.toContain(title)
})

test('a message of 1.x whose context is not that of its task is refused, and one without a context is about its task', async () => {
  const say = (more: object) =>
    rpc('SendMessage', {
      message: { role: 'ROLE_USER', messageId: 'm-1', parts: [{ text: 'How is it going?' }], ...more },
    })
  for (const method of ['SendMessage', 'SendStreamingMessage'])
    expect(
      errorOf(
        await rpc(method, {
          message: { role: 'ROLE_USER', messageId: 'm-1', parts: [{ text: 'So?' }], taskId, contextId: 'another' },
        }),
      ),
    ).toMatchObject({ code: -32602, message: expect.stringContaining('contextId') as string })
  for (const more of [{ taskId, contextId: taskId }, { taskId }, { contextId: 'another' }])
    expect(resultOf(await say(more))).toMatchObject({ message: { role: 'ROLE_AGENT' } })
})

test.each([
  ['0.3', 'agent/info', true],
  ['0.3.0', 'agent/info', true],
  ['1.0', 'GetTask', true],
  ['', 'agent/info', true],
  ['2.0', 'GetTask', false],
  ['1', 'GetTask', false],
  ['nothing', 'agent/info', false],
])('A2A-Version %j of %s is spoken, or refused by its own name', async (version, method, isSpoken) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'mine',
    method,
    params: method === 'GetTask' ? { id: taskId } : {},
  })
  const { status, body: answer } = await raw(body, { ...json, 'a2a-version': version })
  expect([status, answer['id'], 'result' in answer]).toEqual([200, 'mine', isSpoken])
  if (!isSpoken) expect(answer['error']).toMatchObject({ code: -32009, data: { code: 'VALIDATION_FAILED' } })
})
