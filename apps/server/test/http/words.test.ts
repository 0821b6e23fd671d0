import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  applied,
  approveFields,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { signedIn } from './live-people.ts'
import { transportNames, type Fields, type Transport, type TransportName } from '../parity/transport.ts'
import { openTransports } from '../parity/transports.ts'

/** What is written with a move is kept, and read by those it concerns alone (decision 0105). */
let market: LiveMarket
let publisher: Party
let worker: Party
let applicant: Party
let stranger: Party
let transports: Readonly<Record<TransportName, Transport>>
beforeAll(async () => {
  market = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '0' })
  ;[publisher, worker, applicant, stranger] = [
    await market.party(100n),
    await market.party(0n),
    await market.party(0n),
    await market.party(0n),
  ]
  transports = openTransports(market.url)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Job = { readonly taskId: string; readonly executorId: string }

async function withApplicants(): Promise<Job> {
  const job = await applied(publisher, worker)
  expectStatus(await applicant.call('POST', `/api/v1/tasks/${job.taskId}/apply`, {}), 201)
  return job
}

async function assignedBy(by: Transport, notes?: string): Promise<Job> {
  const job = await withApplicants()
  const input = {
    task_id: job.taskId,
    executor_id: job.executorId,
    payment_auth: await paymentAuth(publisher, job),
    ...(notes === undefined ? {} : { notes }),
  }
  expect(await by.call('tasks.assign', { as: publisher, input })).toMatchObject({ code: null })
  return job
}

const wordsOf = ({ assign_notes, approve_feedback, cancel_reason, withdraw_reason }: Fields): Fields => ({
  ...(assign_notes === undefined ? {} : { assign_notes }),
  ...(approve_feedback === undefined ? {} : { approve_feedback }),
  ...(cancel_reason === undefined ? {} : { cancel_reason }),
  ...(withdraw_reason === undefined ? {} : { withdraw_reason }),
})

async function readBy(as: Party, taskId: string, by: Transport = transports.REST): Promise<Fields> {
  return wordsOf((await by.call('tasks.get', { as, input: { task_id: taskId } })).body)
}

/** An event can be read once every transaction that began before it is over. */
async function eventOf(party: Party, taskId: string, type: string): Promise<Fields> {
  const read = async (): Promise<Fields | undefined> => {
    const { body } = expectStatus(await party.call('GET', `/api/v1/events?task_id=${taskId}&types=${type}`), 200)
    return (body['events'] as readonly { readonly data: Fields }[])[0]?.data // the contract's output
  }
  return (await eventually(read, (data) => data !== undefined)) ?? {}
}

describe.each(transportNames.map((name) => [name]))('over %s', (name) => {
  test('the worker reads the notes of its assignment, the other applicants do not', async () => {
    const by = transports[name]
    const { taskId } = await assignedBy(by, 'Ring twice.')
    for (const party of [publisher, worker])
      expect(await readBy(party, taskId, by)).toEqual({ assign_notes: 'Ring twice.' })
    for (const party of [applicant, stranger]) expect(await readBy(party, taskId, by)).toEqual({})
    expect(await eventOf(worker, taskId, 'task.assigned')).toMatchObject({ notes: 'Ring twice.' })
  })

  test('the applicants read why a task was cancelled, and nobody else does', async () => {
    const by = transports[name]
    const { taskId } = await withApplicants()
    const input = { task_id: taskId, reason: 'It rains.' }
    expect(await by.call('tasks.cancel', { as: publisher, input })).toMatchObject({ code: null })
    for (const party of [publisher, worker, applicant])
      expect(await readBy(party, taskId, by)).toEqual({ cancel_reason: 'It rains.' })
    expect(await by.call('tasks.get', { as: stranger, input: { task_id: taskId } })).toMatchObject({
      code: 'TASK_GONE',
    })
    expect(JSON.stringify(await eventOf(publisher, taskId, 'task.cancelled'))).not.toContain('It rains.')
  })
})

test.each(transportNames.filter((name) => name !== 'tools').map((name) => [name]))(
  'over %s the publisher reads why its worker stepped down, once the money is back',
  async (name) => {
    const by = transports[name]
    const { taskId } = await assignedBy(by, 'Ring twice.')
    const input = { task_id: taskId, reason: 'I am ill.' }
    expect(await by.call('tasks.withdraw', { as: worker, input })).toMatchObject({ code: null })
    for (const party of [publisher, worker])
      expect(await readBy(party, taskId, by)).toEqual({ withdraw_reason: 'I am ill.' })
    for (const party of [applicant, stranger]) expect(await readBy(party, taskId, by)).toEqual({})
    expect(await eventOf(publisher, taskId, 'task.withdrawn')).toMatchObject({ reason: 'I am ill.' })
  },
)

test('a locked bounty goes back first, and the worker reads why as well', async () => {
  const { taskId } = await assignedBy(transports.REST)
  expect(await readBy(worker, taskId)).toEqual({})
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, { reason: 'It rains.' }), 200)
  for (const party of [worker, applicant]) expect(await readBy(party, taskId)).toEqual({ cancel_reason: 'It rains.' })
})

test('the worker reads what the approval said, with a rating or without one', async () => {
  const { taskId } = await assignedBy(transports.REST)
  const submissionId = await submit(worker, taskId)
  expect(await readBy(worker, taskId)).toEqual({})
  const fields = { feedback: 'On time.', ...(await approveFields(publisher, submissionId)) }
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields), 200)
  for (const party of [publisher, worker]) expect(await readBy(party, taskId)).toEqual({ approve_feedback: 'On time.' })
  for (const party of [applicant, stranger])
    expect(
      (await transports.REST.call('tasks.get', { as: party, input: { task_id: taskId } })).body,
    ).not.toHaveProperty('approve_feedback')
})

test('a person reads them in a browser, of what people published', async () => {
  const person = await signedIn(market, publisher)
  const published = await person.call('POST', '/api/v1/h2a/tasks', {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1.07,
    evidence_required: ['text_response'],
  })
  const taskId = String(expectStatus(published, 201).body['id'])
  expectStatus(await person.call('POST', `/api/v1/h2a/tasks/${taskId}/cancel`, { reason: 'It rains.' }), 200)
  expect(wordsOf(expectStatus(await person.call('GET', `/api/v1/h2a/tasks/${taskId}`), 200).body)).toEqual({
    cancel_reason: 'It rains.',
  })
})

test('they are handed out with the account that wrote them, and forgotten with it', async () => {
  const author = await market.party(0n)
  const published = await author.call('POST', '/api/v1/tasks', {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1.07,
    evidence_required: ['text_response'],
  })
  const taskId = String(expectStatus(published, 201).body['id'])
  expectStatus(await author.call('POST', `/api/v1/tasks/${taskId}/cancel`, { reason: 'It rains.' }), 200)
  expect(expectStatus(await author.call('GET', '/api/v1/account/export'), 200).body).toMatchObject({
    task_words: [{ task_id: taskId, kind: 'cancel', words: 'It rains.' }],
  })
  expectStatus(await author.call('DELETE', '/api/v1/account'), 200)
  expect(await readBy(author, taskId)).toEqual({})
})
