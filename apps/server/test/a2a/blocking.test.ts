import { randomUUID } from 'node:crypto'
import type { Message, Task } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForTask } from '../../src/transports/a2a/wait-for-task.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  aTask,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { fetchAs } from './signing-fetch.ts'

let live: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveMarket()
  publisher = await live.party(100n)
  worker = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

type Fields = Readonly<Record<string, unknown>>
type Sent = { readonly messageId?: string; readonly configuration?: Fields; readonly headers?: Record<string, string> }
const sendAs = (
  party: Party,
  action: string,
  params: Fields,
  { messageId = randomUUID(), configuration, headers = {} }: Sent = {},
): Promise<Reply> =>
  party.call(
    'POST',
    '/a2a',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: { role: 'user', messageId, parts: [{ kind: 'data', data: { action, params } }] },
        ...(configuration === undefined ? {} : { configuration }),
      },
    },
    headers,
  )
const resultOf = (reply: Reply): Fields & { readonly status: { readonly state: string } } => {
  if (reply.body['error'] !== undefined) throw new Error(JSON.stringify(reply.body))
  return reply.body['result'] as ReturnType<typeof resultOf> // a Task in these tests
}
const stateOf = (reply: Reply): string => resultOf(reply).status.state
const published = async (): Promise<string> =>
  String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
const cancel = async (taskId: string): Promise<void> => {
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
}
const hasApplied = (taskId: string) =>
  expect
    .poll(async () => (await publisher.call('GET', `/api/v1/tasks/${taskId}/applications`)).body['applications'], {
      timeout: 10_000,
    })
    .toHaveLength(1)

describe('configuration.blocking', () => {
  test('true waits until the task is over', async () => {
    const taskId = await published()
    const answer = sendAs(worker, 'tasks/apply', { task_id: taskId }, { configuration: { blocking: true } })
    await hasApplied(taskId)
    await cancel(taskId)
    expect(stateOf(await answer)).toBe('canceled')
  })

  test.each([
    ['false', { blocking: false }],
    ['left out', {}],
  ])('%s answers at once', async (_, configuration) => {
    const taskId = await published()
    expect(stateOf(await sendAs(worker, 'tasks/apply', { task_id: taskId }, { configuration }))).toBe('submitted')
    await cancel(taskId)
  })

  test('the public client waits unless it polls: an assignment is answered when the publisher has to decide', async () => {
    const job = await applied(publisher, worker)
    const client = await clientOf(publisher)
    const params = { executor_id: job.executorId, payment_auth: await paymentAuth(publisher, job) }
    const answer = client.sendMessage({
      message: {
        kind: 'message',
        role: 'user',
        messageId: randomUUID(),
        taskId: job.taskId,
        parts: [{ kind: 'data', data: { action: 'tasks/assign', params } }],
      },
    })
    await expect
      .poll(async () => (await live.get(`/api/v1/tasks/${job.taskId}`)).body['status'], { timeout: 10_000 })
      .toBe('accepted')
    await submit(worker, job.taskId)
    expect(taskFrom(await answer)).toMatchObject({ id: job.taskId, status: { state: 'input-required' } })
  })

  test('what waits for a signature, and what is only read, is answered at once', async () => {
    const job = await applied(publisher, worker)
    const configuration = { blocking: true }
    expect(
      stateOf(
        await sendAs(
          publisher,
          'tasks/assign',
          { task_id: job.taskId, executor_id: job.executorId },
          { configuration },
        ),
      ),
    ).toBe('auth-required')
    expect(resultOf(await sendAs(publisher, 'tasks/list', {}, { configuration }))).toMatchObject({ kind: 'message' })
  })

  test('a service that ends answers whoever waits', async () => {
    await using own = await startLiveMarket()
    const [buyer, seller] = [await own.party(10n), await own.party(0n)]
    const taskId = String(expectStatus(await buyer.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    const answer = sendAs(seller, 'tasks/apply', { task_id: taskId }, { configuration: { blocking: true } })
    await expect
      .poll(async () => (await buyer.call('GET', `/api/v1/tasks/${taskId}/applications`)).body['applications'], {
        timeout: 10_000,
      })
      .toHaveLength(1)
    const [reply] = await Promise.all([answer, own[Symbol.asyncDispose]()])
    expect(stateOf(reply)).toBe('submitted')
  })
})

describe('waiting is bounded', () => {
  const step = (state: string) => ({ place: 'p', update: { kind: 'status-update', status: { state } } })
  /** A task to which nothing happens, until whoever follows it stops. */
  function silent(state: string) {
    const ended = Promise.withResolvers<undefined>()
    let stops = 0
    const rest = (async function* nothing() {
      yield null
      await ended.promise
    })()
    return {
      opened: {
        first: step(state),
        rest,
        stop: () => {
          stops += 1
          ended.resolve(undefined)
        },
      },
      stopped: () => stops > 0,
    }
  }

  test('by its time', async () => {
    const { opened, stopped } = silent('working')
    await waitForTask(opened, 20, new AbortController().signal)
    expect(stopped()).toBe(true)
  })

  test('by who leaves', async () => {
    const leaving = new AbortController()
    const { opened, stopped } = silent('working')
    const waiting = waitForTask(opened, 600_000, leaving.signal)
    leaving.abort()
    await waiting
    expect(stopped()).toBe(true)
  })

  test.each(['completed', 'canceled', 'failed', 'rejected', 'input-required', 'auth-required'])(
    'not at all once a task is %s',
    async (state) => {
      const { opened, stopped } = silent(state)
      await waitForTask(opened, 600_000, new AbortController().signal)
      expect(stopped()).toBe(true)
    },
  )
})

describe('the id of a message is the key of its action', () => {
  test.each([
    ['short', () => randomUUID()],
    ['long', () => `${randomUUID()}${'x'.repeat(200)}`],
    ['in another script', () => `сообщение ${randomUUID()}`],
  ])('a resend under an id that is %s is the same message', async (_, idOf) => {
    const messageId = idOf()
    const first = await sendAs(publisher, 'tasks/create', aTask(), { messageId })
    const again = await sendAs(publisher, 'tasks/create', aTask(), { messageId })
    expect([resultOf(again)['id'], again.headers['idempotent-replayed']]).toEqual([resultOf(first)['id'], 'true'])
    const applying = { messageId: `${messageId.slice(0, 40)}a` }
    const task_id = String(resultOf(first)['id'])
    const applications = [
      await sendAs(worker, 'tasks/apply', { task_id }, applying),
      await sendAs(worker, 'tasks/apply', { task_id }, applying),
    ]
    expect(applications.map((reply) => reply.headers['idempotent-replayed'])).toEqual([undefined, 'true'])
    expect(stateOf(applications[1] ?? again)).toBe('submitted')
  })

  test('another action of the same words and another id is another one', async () => {
    const [first, second] = [
      await sendAs(publisher, 'tasks/create', aTask()),
      await sendAs(publisher, 'tasks/create', aTask()),
    ]
    expect(resultOf(first)['id']).not.toBe(resultOf(second)['id'])
  })

  test('the same id with other words is refused', async () => {
    const messageId = randomUUID()
    resultOf(await sendAs(publisher, 'tasks/create', aTask(), { messageId }))
    expect(
      (await sendAs(publisher, 'tasks/create', aTask({ bounty_usd: 2 }), { messageId })).body['error'],
    ).toMatchObject({ data: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  })

  test('a header wins over it', async () => {
    const [messageId, key] = [randomUUID(), randomUUID()]
    const headers = { 'x-idempotency-key': key }
    const first = resultOf(await sendAs(publisher, 'tasks/create', aTask(), { messageId, headers }))
    expect(resultOf(await sendAs(publisher, 'tasks/create', aTask(), { headers }))['id']).toBe(first['id'])
    expect(resultOf(await sendAs(publisher, 'tasks/create', aTask(), { messageId }))['id']).not.toBe(first['id'])
    expect((await publisher.call('GET', `/api/v1/operations/${key}`)).body).toMatchObject({ state: 'done' })
  })
})

/** The public client as it comes. */
async function clientOf(party: Party): Promise<Client> {
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: fetchAs(live.url, party) })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchAs(live.url) }),
    }),
  )
  return factory.createFromUrl(`http://${authority}`)
}

function taskFrom(answer: Task | Message): Task {
  if (answer.kind !== 'task') throw new Error(`expected a task, received ${JSON.stringify(answer)}`)
  return answer
}
