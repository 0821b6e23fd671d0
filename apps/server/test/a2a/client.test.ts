import { randomUUID } from 'node:crypto'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client'
import type { Message, MessageSendParams, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import {
  approveFields,
  assign,
  aTask,
  eventually,
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
let asPublisher: Client
let asWorker: Client
let asNobody: Client
beforeAll(async () => {
  live = await startLiveMarket()
  publisher = await live.party(100n)
  worker = await live.party(0n)
  ;[asPublisher, asWorker, asNobody] = await Promise.all([clientOf(publisher), clientOf(worker), clientOf()])
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

/** The public client, made from the card alone. */
async function clientOf(party?: Party, polling = true): Promise<Client> {
  const fetchImpl = fetchAs(live.url, party)
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      clientConfig: { polling },
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchAs(live.url) }),
    }),
  )
  return factory.createFromUrl(`http://${authority}`)
}

const act = (action: string, params: Readonly<Record<string, unknown>>, taskId?: string): MessageSendParams => ({
  message: {
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'data', data: { action, params } }],
    ...(taskId === undefined ? {} : { taskId }),
  },
})
const say = (text: string): MessageSendParams => ({
  message: { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text }] },
})

const taskFrom = (answer: Task | Message): Task => {
  if (answer.kind !== 'task') throw new Error(`expected a task, received ${JSON.stringify(answer)}`)
  return answer
}
/** The data parts of what an agent said, one object of all. */
const dataOf = (message: Message | undefined): Record<string, unknown> =>
  Object.assign({}, ...(message?.parts ?? []).flatMap((part) => (part.kind === 'data' ? [part.data] : []))) as Record<
    string,
    unknown
  > // Object.assign of unknown parts is untyped
const resultOf = (answer: Task | Message): Record<string, unknown> =>
  dataOf(answer.kind === 'task' ? answer.status.message : answer)['result'] as Record<string, unknown> // what an action answered

type Update = Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent
/** Collects a stream until it ends. */
function collect(stream: AsyncIterable<Update>): { readonly seen: Update[]; readonly ended: Promise<void> } {
  const seen: Update[] = []
  const ended = (async () => {
    for await (const update of stream) seen.push(update)
  })()
  return { seen, ended }
}
const typesOf = (seen: readonly Update[]): unknown[] =>
  seen.map((one) => (one.kind === 'status-update' ? dataOf(one.status.message)['type'] : one.kind))

test('two agents play a whole job over the protocol: create, apply, assign by challenge, submit, approve by challenge', async () => {
  const published = collect(asPublisher.sendMessageStream(act('tasks/create', aTask())))
  const created = await eventually(
    async () => published.seen[0],
    (first) => first !== undefined,
  )
  const task = created as Task // the first step of a stream that acted on a task
  expect(task).toMatchObject({ kind: 'task', contextId: task.id, status: { state: 'submitted' } })

  const applied = await asWorker.sendMessage(act('tasks/apply', { message: 'I am near.' }, task.id))
  const executor_id = String(resultOf(applied)['executor_id'])

  const unsigned = taskFrom(await asPublisher.sendMessage(act('tasks/assign', { executor_id }, task.id)))
  expect(unsigned.status.state).toBe('auth-required')
  expect(dataOf(unsigned.status.message)).toMatchObject({
    challenge: { task_id: task.id, executor_id },
    wallet_action: {
      kind: 'eip712',
      reason: 'escrow_signature_required',
      how_to_return: { action: 'tasks/assign', parameter: 'payment_auth' },
    },
  })
  const payment_auth = await paymentAuth(publisher, { taskId: task.id, executorId: executor_id })
  await asPublisher.sendMessage(act('tasks/assign', { executor_id, payment_auth }, task.id))
  const assigned = await eventually(
    () => asWorker.getTask({ id: task.id }),
    ({ status }) => status.state === 'working',
  )
  expect(assigned.status.state).toBe('working')

  const submitted = taskFrom(
    await asWorker.sendMessage(act('tasks/submit', { evidence: { text_response: 'It is open.' } }, task.id)),
  )
  expect(submitted.status.state).toBe('working')
  const submission_id = String(resultOf(submitted)['submission_id'])
  // The stream waits for older transactions of the database server, and other tests have theirs.
  const inReview = await eventually(
    () => asPublisher.getTask({ id: task.id, historyLength: 50 }),
    ({ history }) => history?.some((message) => dataOf(message)['type'] === 'submission.received') === true,
  )
  expect(inReview.status.state).toBe('input-required')
  expect(inReview.artifacts).toMatchObject([
    { artifactId: submission_id, parts: [{ data: { submission: { evidence: { text_response: 'It is open.' } } } }] },
  ])
  expect(inReview.history?.map((message) => dataOf(message)['type'])).toEqual(
    expect.arrayContaining(['task.created', 'worker.applied', 'task.assigned', 'submission.received']),
  )

  const toSign = taskFrom(await asPublisher.sendMessage(act('tasks/approve', { submission_id })))
  expect(toSign.status.state).toBe('auth-required')
  expect(dataOf(toSign.status.message)).toMatchObject({
    challenge: { submission_id, gross_amount_usdc: 1.07 },
    wallet_action: { how_to_return: { parameter: 'lifecycle_order' } },
  })
  await asPublisher.sendMessage(
    act('tasks/approve', { submission_id, ...(await approveFields(publisher, submission_id)) }),
  )
  const over = await eventually(
    () => asNobody.getTask({ id: task.id }),
    ({ status }) => status.state === 'completed',
  )
  expect(over.artifacts).toBeUndefined()

  await published.ended
  expect(typesOf(published.seen)).toEqual(
    expect.arrayContaining([
      'task',
      'worker.applied',
      'task.assigned',
      'artifact-update',
      'submission.received',
      'task.completed',
    ]),
  )
  expect(published.seen.filter((one) => one.kind === 'status-update' && one.final)).toHaveLength(1)
  expect(published.seen.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } })
  expect(await live.balance(worker.wallet)).toBe(930_900n)
})

test('an unsigned caller is answered in words, finds open tasks and is asked to sign for what would change something', async () => {
  const open = (await publisher.call('POST', '/api/v1/tasks', aTask({ title: 'Count the herons at the weir' }))).body
  const found = await asNobody.sendMessage(say('Is there anything about herons?'))
  expect(found).toMatchObject({ kind: 'message', role: 'agent' })
  expect((dataOf(found as Message)['tasks'] as readonly { id: string }[])[0]?.id).toBe(open['id']) // a message, as just checked

  const before = await live.get(`/api/v1/tasks?publisher=${publisher.wallet}&limit=100`)
  const refused = taskFrom(await asNobody.sendMessage(act('tasks/create', aTask())))
  expect(refused.status.state).toBe('auth-required')
  expect(dataOf(refused.status.message)['wallet_action']).toMatchObject({
    kind: 'signed_request',
    how_to_return: { action: 'tasks/create' },
  })
  expect((await live.get(`/api/v1/tasks?publisher=${publisher.wallet}&limit=100`)).body['total']).toBe(
    before.body['total'],
  )
  await expect(asNobody.getTask({ id: refused.id })).rejects.toThrow(/not found|no such task/i)
  await expect(asNobody.cancelTask({ id: String(open['id']) })).rejects.toThrow(/-32041/)
})

test('an applicant that follows the task hears that it was chosen, and another one hears the end', async () => {
  const other = await live.party(0n)
  const asOther = await clientOf(other)
  const id = String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])
  const applied = resultOf(await asWorker.sendMessage(act('tasks/apply', {}, id)))
  await asOther.sendMessage(act('tasks/apply', {}, id))
  const [chosen, passed] = [collect(asWorker.resubscribeTask({ id })), collect(asOther.resubscribeTask({ id }))]
  await eventually(async () => [chosen, passed].every(({ seen }) => seen.length > 0), Boolean)
  expect([chosen.seen, passed.seen]).toMatchObject([
    [{ kind: 'task', status: { state: 'submitted' } }],
    [{ kind: 'task', status: { state: 'submitted' } }],
  ])

  const job = { taskId: id, executorId: String(applied['executor_id']) }
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await eventually(async () => typesOf(chosen.seen).includes('task.assigned'), Boolean)
  const submissionId = await submit(worker, id)
  await eventually(async () => typesOf(chosen.seen).includes('artifact-update'), Boolean)
  const approval = await approveFields(publisher, submissionId)
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, approval), 200)
  await Promise.all([chosen.ended, passed.ended])
  expect(chosen.seen[typesOf(chosen.seen).indexOf('task.assigned')]).toMatchObject({ status: { state: 'working' } })
  expect(chosen.seen.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } })
  // It hears what became of its own application, and of the other's job what everybody hears.
  const before: readonly unknown[] = ['task', 'task.created', 'worker.applied']
  expect(typesOf(passed.seen).filter((type) => !before.includes(type))).toEqual(['worker.not_chosen', 'task.completed'])
})

test('the publisher cancels, and everybody who follows the task hears that it is over', async () => {
  const id = String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])
  const streams = [collect(asPublisher.resubscribeTask({ id })), collect(asNobody.resubscribeTask({ id }))]
  await eventually(async () => streams.every(({ seen }) => seen.length > 0), Boolean)
  expect(await asPublisher.cancelTask({ id })).toMatchObject({ id, status: { state: 'canceled' } })
  for (const { seen, ended } of streams) {
    await ended
    expect(seen.at(-1)).toMatchObject({ kind: 'status-update', taskId: id, final: true, status: { state: 'canceled' } })
  }
  await expect(asPublisher.cancelTask({ id })).rejects.toThrow(/cancel/i)
  const after = collect(asPublisher.resubscribeTask({ id }))
  await after.ended
  expect(after.seen).toMatchObject([{ kind: 'task', status: { state: 'canceled' } }])
})

test('a signer is shown the extended card, which names every action', async () => {
  const card = await asPublisher.getAgentCard()
  expect(card.skills.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['publish-task', 'tasks/create', 'tasks/approve']),
  )
  expect(await asNobody.getAgentCard().catch((error: unknown) => String(error))).toMatch(/-32041/)
})
