import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applied,
  approveFields,
  assign,
  aTask,
  eventually,
  expectStatus,
  paymentAuth,
  submit,
  type Party,
} from '../http/live-market.ts'
import { openTransports } from '../parity/transports.ts'
import { isAsked, startLineToDatabase, type LineToDatabase } from './line-to-database.ts'
import { healed, honest, keyed, loseEach, untilAnswered, type Call } from './lose-each.ts'

/**
 * A connection lost under way may have committed: nobody is told that it failed, and whoever sends it again under its
 * key hears what was written.
 */

let market: LineToDatabase
let publisher: Party
let worker: Party
beforeAll(async () => {
  market = await startLineToDatabase({ SVC_SETTLE_WAIT_MS: '400' }, { withoutDuties: true })
  publisher = await market.live.party(1_000n)
  worker = await market.live.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})
beforeEach(() => healed(market))

const calls: Readonly<Record<string, () => Promise<Call>>> = {
  apply: async () => {
    const id = await publishedBy(publisher)
    return keyed(worker, 'POST', `/api/v1/tasks/${id}/apply`, { message: 'I am near.' })
  },
  assign: async () => {
    const job = await applied(publisher, worker)
    const auth = await paymentAuth(publisher, job)
    return keyed(
      publisher,
      'POST',
      `/api/v1/tasks/${job.taskId}/assign`,
      { executor_id: job.executorId },
      { 'x-payment-auth': auth },
    )
  },
  submit: async () =>
    keyed(worker, 'POST', `/api/v1/tasks/${await accepted()}/submit`, { evidence: { text_response: 'It is open.' } }),
  approve: async () => {
    const submissionId = await submit(worker, await accepted())
    return keyed(
      publisher,
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
    )
  },
  'cancel what is published': async () =>
    keyed(publisher, 'POST', `/api/v1/tasks/${await publishedBy(publisher)}/cancel`, {}),
  'cancel what is held': async () => keyed(publisher, 'POST', `/api/v1/tasks/${await accepted()}/cancel`, {}),
  'offer a service': () =>
    Promise.resolve(
      keyed(worker, 'POST', '/api/v1/services', {
        title: `I translate ${randomUUID()}`,
        description: 'Any menu of up to four pages, into English.',
        category: 'simple_action',
        unit_price_usd: 1.07,
        skills: ['translation'],
      }),
    ),
  publish: () =>
    Promise.resolve(keyed(publisher, 'POST', '/api/v1/tasks', aTask({ title: `Photograph ${randomUUID()}` }))),
}

async function prepare(name: string): Promise<Call> {
  const call = await calls[name]?.()
  if (call === undefined) throw new Error(name)
  return call
}

async function publishedBy(party: Party): Promise<string> {
  return String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
}

async function accepted(): Promise<string> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job.taskId
}

describe.each(Object.keys(calls))('%s', (name) => {
  test('every answer of the database may be lost on its way: 503, and under the same key what was written', async () => {
    const firsts = await loseEach(market, name, () => prepare(name))
    const codes = new Set(firsts.map(({ first }) => first.body.code ?? 'done'))
    expect(codes.size).toBeGreaterThan(1)
    // What was lost is found out side by side: most of that time goes by in leases that lapse.
    await Promise.all(
      firsts.map(async ({ call, key, after, first }) => {
        const last = await untilAnswered(market, call, key)
        const ending = last.status < 300 ? 'done' : last.body
        expect([name, after, first.body.code, ending], `after ${String(after)}`).toEqual([
          name,
          after,
          first.body.code,
          'done',
        ])
        const found = await publisherOrWorker(name).call('GET', `/api/v1/operations/${key}`)
        expect(found.body).toMatchObject({ state: 'done' })
      }),
    )
  }, 240_000)
})

function publisherOrWorker(name: string): Party {
  return name === 'apply' || name === 'submit' || name === 'offer a service' ? worker : publisher
}

test('a commit whose answer is lost is an outcome that nobody knows, and the answer says how to find out', async () => {
  const call = await calls['apply']?.()
  const loss = market.line.loseAnswerTo('commit\0')
  const reply = await call?.('lost-answer')
  expect([loss.hasHappened(), reply?.status, reply?.body.code, reply?.headers['retry-after']]).toEqual([
    true,
    503,
    'OUTCOME_UNKNOWN',
    '2',
  ])
  expect(reply?.body.details).toEqual({ idempotency_key: 'lost-answer', lookup: '/api/v1/operations/lost-answer' })
  expect(String(reply?.body.detail?.['recovery'])).toMatch(/same X-Idempotency-Key/)
  const known = await eventually(
    () => worker.call('GET', '/api/v1/operations/lost-answer'),
    ({ status, body }) => status === 200 && body['state'] !== 'in_flight',
  )
  expect(known.body).toMatchObject({ operation: 'tasks.apply', state: 'in_doubt' })
})

test('tools and agents hear it in their own words, and never that something unforeseen happened', async () => {
  const transports = openTransports(market.live.url)
  for (const transport of [transports.tools, transports.A2A]) {
    for (let after = 0; after < 16; after += 1) {
      const task_id = await publishedBy(publisher)
      const loss = market.line.loseAnswer(after, isAsked)
      const { code } = await transport.call('tasks.apply', { as: worker, input: { task_id, message: 'I am near.' } })
      loss.forget()
      expect([transport.name, after, code === null || honest.has(code) ? 'honest' : code]).toEqual([
        transport.name,
        after,
        'honest',
      ])
      await healed(market)
    }
  }
})

test('a silent line is a lost one: nothing hangs longer than fifteen seconds, and it heals by itself', async () => {
  const id = await publishedBy(publisher)
  market.line.mute()
  const startedAt = performance.now()
  const replies = await Promise.all([
    market.live.get(`/api/v1/tasks/${id}`),
    worker.call('POST', `/api/v1/tasks/${id}/apply`, { message: 'I am near.' }, { 'x-idempotency-key': 'silence' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([503, 503])
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  await market.line.open()
  const last = await eventually(
    () =>
      worker.call('POST', `/api/v1/tasks/${id}/apply`, { message: 'I am near.' }, { 'x-idempotency-key': 'silence' }),
    ({ status }) => status === 201,
    20_000,
  )
  expect(last.status).toBe(201)
  expect(performance.now() - startedAt).toBeLessThan(40_000)
})
