import { evidenceTypes, events } from '@ergon/contract'
import { evidenceKinds } from '@ergon/contract/facts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applied, aTask, assign, expectStatus, paymentAuth, type LiveMarket, type Party } from '../http/live-market.ts'
import { body, modernClient, signingFetch, startLiveTools } from './live-tools.ts'

/** Calls as models and the adapters of their frameworks make them (decision 0323). */
let live: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  live = await startLiveTools()
  ;[publisher, worker] = [await live.party(50n), await live.party(0n)]
})
afterAll(() => live?.[Symbol.asyncDispose]())

test('what may be missing may be null or an empty text, at every tool', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const nothing = { status: null, category: '', network: null, agent_id: '', q: '', limit: null, cursor: '' }
  expect(body(await host.call('svc_get_tasks', nothing))).toMatchObject({ tasks: [], offset: 0 })
  const { id } = body(
    await host.call('svc_publish_task', {
      ...aTask(),
      payment_network: null,
      min_reputation: null,
      idempotency_key: '',
    }),
  )
  expect(body(await host.call('svc_get_task', { task_id: id, include_submissions: null }))).toMatchObject({ id })
  const { taskId: task_id, executorId: executor_id } = await applied(publisher, worker)
  // A signature that is empty is none: the answer is what to sign, and nothing has changed.
  const assigned = await host.call('svc_assign_task', { task_id, executor_id, payment_auth: '', standing_order: null })
  expect(assigned.structuredContent).toMatchObject({ code: 'escrow_signature_required', wallet_action: {} })
})

test('what has to be there is refused when it is null', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const refused = await host.call('svc_get_task', { task_id: null })
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'VALIDATION_FAILED' } })
})

test('who waits for an event that there is not is told of all that there are', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const refused = await host.call('svc_wait_for_event', { types: 'application.received' })
  expect(refused.isError).toBe(true)
  expect(refused.structuredContent?.['message']).toBe(
    `types: one of ${Object.keys(events).join(', ')}, received application.received.`,
  )
})

type Shown = {
  readonly type: string
  readonly properties?: Readonly<Record<string, Shown>>
  readonly format?: string
  readonly minimum?: number
}

/** What a model that knows the printed schema alone would say. */
function madeOf({ type, properties = {}, format, minimum = 1 }: Shown): unknown {
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, madeOf(one)]))
  if (type !== 'string') return minimum
  return format === 'date-time' ? new Date().toISOString() : 'https://example.com/'
}

const values = evidenceTypes.filter((type) => evidenceKinds[type].kind === 'value')

test.each([
  ['the first half', values.slice(0, values.length / 2)],
  ['the second half', values.slice(values.length / 2)],
])('evidence of the printed schema is taken, and what is null beside it: %s', async (_half, kinds) => {
  await using host = await modernClient(live.url, signingFetch(worker.signer))
  const { tools } = await host.client.listTools()
  const shown = tools.find(({ name }) => name === 'svc_submit_work')?.inputSchema.properties?.['evidence'] as Shown
  expect(Object.keys(shown.properties ?? {})).toEqual([...evidenceTypes])
  const job = await applied(publisher, worker, { evidence_required: kinds })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const evidence = Object.fromEntries(
    Object.entries(shown.properties ?? {}).map(([type, one]) => [
      type,
      kinds.some((kind) => kind === type) ? madeOf(one) : null,
    ]),
  )
  expect(body(await host.call('svc_submit_work', { task_id: job.taskId, evidence, notes: '' }))).toMatchObject({
    submission_id: expect.any(String),
  })
})

test('an address that names sets lists those alone, calls the rest, and says which sets there are', async () => {
  const at = (query: string) => modernClient(live.url, signingFetch(worker.signer), query)
  await using host = await at('?tools=work')
  const names = (await host.tools()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['svc_get_task', 'svc_submit_work']))
  expect(names).not.toContain('svc_publish_task')
  expect(body(await host.call('svc_browse_services'))).toMatchObject({ listings: [] })
  await using two = await at('?tools=publish,services')
  expect((await two.tools()).length).toBeGreaterThan(names.length)
  await using wrong = await at('?tools=everything')
  await expect(wrong.tools()).rejects.toThrow(
    'There are no tools everything: tools is any of publish, work, services, disputes, metered, separated by commas.',
  )
})

test('work that is longer than a model can read is told in part by the tool, and whole by REST', async () => {
  await using host = await modernClient(live.url, signingFetch(publisher.signer))
  const job = await applied(publisher, worker, {
    evidence_required: ['json_response', 'structured_data', 'text_report'],
  })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const evidence = {
    json_response: { noise: 'x'.repeat(99_000) },
    structured_data: Array.from({ length: 45_000 }, () => 0),
    text_report: 'It is open.',
  }
  const path = `/api/v1/tasks/${job.taskId}`
  expectStatus(await worker.call('POST', `${path}/submit`, { evidence }), 201)
  const told = await host.call('svc_check_submission', { task_id: job.taskId })
  const [{ text }] = told.content as [{ text: string }]
  expect(text.length).toBeLessThanOrEqual(80_000)
  expect(JSON.parse(text)).toEqual(told.structuredContent)
  expect(body(told)).toMatchObject({
    submissions: [
      {
        evidence: {
          json_response: expect.stringContaining('more characters are left out here'),
          structured_data: expect.stringContaining('more characters are left out here'),
          text_report: 'It is open.',
        },
      },
    ],
  })
  const whole = expectStatus(await publisher.call('GET', `${path}/submissions`), 200)
  expect(whole.body).toMatchObject({ submissions: [{ evidence }] })
})
