import type { TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aTask,
  assign,
  expectStatus,
  paymentAuth,
  signEnvelope,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'

/** A policy over the wire, on a real chain: what is said, asked for, signed and refused (decisions 0157 to 0159). */
let market: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  market = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '0' })
  ;[publisher, worker] = [await market.party(100n), await market.party(0n)]
})
afterAll(() => market[Symbol.asyncDispose]())

type Body = Readonly<Record<string, unknown>>

async function published(policy?: Body): Promise<string> {
  const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  if (policy !== undefined) expectStatus(await publisher.call('PUT', `/api/v1/tasks/${taskId}/policy`, policy), 200)
  return taskId
}

async function applied(taskId: string): Promise<{ readonly taskId: string; readonly executorId: string }> {
  const { body } = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  return { taskId, executorId: String(body['executor_id']) }
}

const taskOf = async (taskId: string): Promise<Body> =>
  expectStatus(await worker.call('GET', `/api/v1/tasks/${taskId}`), 200).body
const turnOf = async (taskId: string): Promise<unknown> => (await taskOf(taskId))['next_action']

describe('the policy of a task', () => {
  test('is shown before anybody applies, alone, with the task and in lists', async () => {
    const taskId = await published({ review_hours: 48, on_silence: 'dispute', applications_max: 5 })
    const policy = {
      review_hours: 48,
      dispute_hours: 168,
      on_silence: 'dispute',
      revisions_max: 1,
      applications_max: 5,
      start_hours: null,
      arbiter: null,
      criteria_required: false,
    }
    const alone = expectStatus(await worker.call('GET', `/api/v1/tasks/${taskId}/policy`), 200).body
    const task = await taskOf(taskId)
    expect(alone).toMatchObject({ task_id: taskId, policy, fixed: false })
    expect(Date.parse(String(alone['money_bound_until'])) - Date.parse(String(task['deadline']))).toBe(
      // With three days in which the deadline may be put off.
      (48 * 3 + 168 + 24 + 72) * 3_600_000,
    )
    expect(task['policy']).toEqual(policy)
    const { tasks } = expectStatus(await worker.call('GET', '/api/v1/tasks/available?limit=100'), 200).body
    expect((tasks as readonly Body[]).find(({ id }) => id === taskId)?.['policy']).toEqual(policy)
    expect(await taskOf(await published())).toMatchObject({ policy: null, review_until: null })
  })

  test.each<[string, Body]>([
    ['a review of no time', { review_hours: 0 }],
    ['a review of more than two weeks', { review_hours: 337 }],
    ['half an hour', { review_hours: 1.5 }],
    ['a dispute of less than a day', { dispute_hours: 23 }],
    ['a refund by silence', { on_silence: 'refund' }],
    ['six revisions', { revisions_max: 6 }],
    ['no applications', { applications_max: 0 }],
    ['what is no part of it', { review_hours: 5, start: true }],
    ['what no authorization is asked to outlive', { review_hours: 336, revisions_max: 5 }],
  ])('is refused for %s', async (_what, policy) => {
    const taskId = await published()
    expectStatus(await publisher.call('PUT', `/api/v1/tasks/${taskId}/policy`, policy), 422)
    expect((await taskOf(taskId))['policy']).toBeNull()
  })

  test('asks the payer for money that is bound long enough, and for a word for silence, and takes both', async () => {
    const job = await applied(await published({ review_hours: 200 }))
    const { body } = expectStatus(
      await publisher.call('GET', `/api/v1/tasks/${job.taskId}/assign/challenge?executor_id=${job.executorId}`),
      200,
    )
    const view = expectStatus(await worker.call('GET', `/api/v1/tasks/${job.taskId}/policy`), 200).body
    expect(Date.parse(String(body['money_bound_until']))).toBeGreaterThanOrEqual(
      Math.floor(Date.parse(String(view['money_bound_until'])) / 1_000) * 1_000,
    )
    const [accept] = body['accepts'] as readonly { readonly extra: Extra }[]
    const { typed_data, envelope, standing_order } = accept?.extra ?? expect.unreachable()
    const auth = await signEnvelope(publisher.signer, { typed_data, envelope })
    const signature = await publisher.signer.signTypedData(standing_order.typed_data)
    const assigned = (signed: Body) =>
      publisher.call(
        'POST',
        `/api/v1/tasks/${job.taskId}/assign`,
        { executor_id: job.executorId, standing_order: JSON.stringify(signed) },
        { 'x-payment-auth': auth },
      )
    const wider = await assigned({ ...standing_order.order, maxCount: 2, signature })
    expect(expectStatus(wider, 409).body).toMatchObject({ detail: { code: 'LIFECYCLE_ORDER_INVALID' } })
    expect((await taskOf(job.taskId))['status']).toBe('published')
    expectStatus(await assigned({ ...standing_order.order, signature }), 200)
    expect((await taskOf(job.taskId))['status']).toBe('accepted')
  })
})

type Extra = {
  readonly typed_data: TypedData
  readonly envelope: { readonly payload: Body }
  readonly standing_order: { readonly typed_data: TypedData; readonly order: Body }
}

test('each answer says whose turn it is, by when, and what happens otherwise', async () => {
  const taskId = await published({ review_hours: 200 })
  const { deadline } = await taskOf(taskId)
  expect(await turnOf(taskId)).toEqual({ who: 'workers', what: 'apply', by: deadline, otherwise: 'expire' })
  const job = await applied(taskId)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  expect(await turnOf(taskId)).toEqual({ who: 'worker', what: 'hand_in', by: deadline, otherwise: 'expire' })
  const submissionId = await submit(worker, taskId)
  const task = await taskOf(taskId)
  expect(task['next_action']).toEqual({
    who: 'publisher',
    what: 'decide',
    by: task['review_until'],
    otherwise: 'release_or_dispute',
  })
  expect(task['deadline']).toBe(task['review_until'])
  expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, { reason: 'Another gate.' }),
    200,
  )
  const disputed = await taskOf(taskId)
  expect(disputed['next_action']).toEqual({
    who: 'operator',
    what: 'rule',
    by: disputed['deadline'],
    otherwise: 'release_or_expire',
  })
})
