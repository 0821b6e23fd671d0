import { operations } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'

const adminKey = 'the admin key of this test'
let market: LiveMarket
let publisher: Party
let worker: Party

beforeAll(async () => {
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey })
  publisher = await market.party(20n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

function expectShape(name: keyof typeof operations, reply: Reply, status = 200): Readonly<Record<string, unknown>> {
  const { body } = expectStatus(reply, status)
  expect([...Compile(operations[name].output).Errors(body)], name).toEqual([])
  return body
}

async function asAdmin(method: string, target: string, body?: unknown, key = adminKey): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return send(
    market.url,
    method,
    target,
    { host: authority, 'x-admin-key': key, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
    text,
  )
}

async function acceptedJob() {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job
}

test('a dispute is opened, argued and split on chain: the worker, the payer and the fee each get their share', async () => {
  const job = await acceptedJob()
  const before = { worker: await market.balance(worker.wallet), payer: await market.balance(publisher.wallet) }
  const submissionId = await submit(worker, job.taskId)
  const opened = expectShape(
    'submissions.dispute',
    await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, {
      reason: 'no_response',
      description: 'Nobody looks at it.',
    }),
    201,
  )
  const path = `/api/v1/disputes/${String(opened['id'])}`
  expectShape(
    'disputes.addEvidence',
    await publisher.call('POST', `${path}/evidence`, {
      statement: 'The gate is not on it.',
      links: ['https://example.org/gate.jpg'],
    }),
    201,
  )
  expect(expectShape('disputes.get', await worker.call('GET', path))['evidence']).toHaveLength(1)
  expect(expectShape('disputes.list', await publisher.call('GET', '/api/v1/disputes?status=open'))['count']).toBe(1)
  expect(expectShape('disputes.list', await asAdmin('GET', '/api/v1/disputes'))['count']).toBe(1)
  const verdict = { verdict: 'split', split_pct: 50, reason: 'Half of it is there.' }
  const reply = await asAdmin('POST', `${path}/resolve`, verdict)
  expect([200, 202]).toContain(reply.status)
  const resolved = await eventually(
    async () => (await asAdmin('GET', path)).body,
    (body) => body['status'] === 'resolved',
  )
  expect(resolved).toMatchObject({
    verdict: 'split',
    split_pct: 50,
    publisher_refund_usdc: 0.535,
    worker_gross_usdc: 0.535,
    payment_tx: expect.stringMatching(/^0x/) as string,
    refund_tx: expect.stringMatching(/^0x/) as string,
  })
  // 13 % of 535000, rounded down, is 69550.
  expect([
    (await market.balance(worker.wallet)) - before.worker,
    (await market.balance(publisher.wallet)) - before.payer,
  ]).toEqual([465_450n, 535_000n])
  expect((await asAdmin('POST', `${path}/resolve`, verdict)).body).toMatchObject({ code: 'DISPUTE_NOT_OPEN' })
})

test('whoever decides reads what was handed in with its checks, of a disputed task alone, and leaves no trace of reading', async () => {
  const job = await acceptedJob()
  const submissionId = await submit(worker, job.taskId)
  const path = `/api/v1/submissions/${submissionId}`
  for (const target of [path, `${path}/evidence`]) {
    expect((await asAdmin('GET', target)).body, target).toMatchObject({ code: 'FORBIDDEN' })
    expect((await asAdmin('GET', target, undefined, 'a guess')).body, target).toMatchObject({ code: 'INVALID_API_KEY' })
  }
  expectShape(
    'submissions.dispute',
    await worker.call('POST', `${path}/dispute`, { reason: 'no_response', description: 'Nobody looks at it.' }),
    201,
  )
  const told = expectShape('submissions.get', await asAdmin('GET', path))
  expect(told).toMatchObject({ id: submissionId, executor_id: job.executorId, evidence_accessed_at: null })
  expect(told['checks']).toContainEqual({
    name: 'schema',
    result: 'passed',
    reason: 'every required type is there and keeps its rule',
    reason_code: 'evidence_complete',
    figures: {},
  })
  const handed = expectShape('submissions.evidence', await asAdmin('GET', `${path}/evidence`))
  expect(handed).toMatchObject({ submission_id: submissionId, count: 1, evidence_accessed_at: null })
  expect(expectShape('submissions.get', await worker.call('GET', path))['evidence_accessed_at']).toBeNull()
  expect(expectShape('submissions.get', await publisher.call('GET', path))['evidence_accessed_at']).not.toBeNull()
})

test('without the admin key nobody resolves, and an unsigned or wrong one reads nothing', async () => {
  const path = '/api/v1/disputes/00000000-0000-7000-8000-000000000000'
  const verdict = { verdict: 'refund', reason: 'It is mine.' }
  expect((await publisher.call('POST', `${path}/resolve`, verdict)).status).toBe(401)
  expect((await asAdmin('POST', `${path}/resolve`, verdict, 'another key')).status).toBe(401)
  expect((await asAdmin('POST', `${path}/resolve`, verdict)).status).toBe(404)
  expect((await market.get('/api/v1/disputes')).body).toMatchObject({ disputes: [], total: 0 })
  expect((await asAdmin('GET', '/api/v1/disputes', undefined, 'another key')).status).toBe(401)
})

test('a worker who steps down leaves the task open and the money with the payer', async () => {
  const before = await market.balance(publisher.wallet)
  const job = await acceptedJob()
  expect(
    expectShape(
      'tasks.withdraw',
      await worker.call('POST', `/api/v1/tasks/${job.taskId}/withdraw`, { reason: 'I am ill.' }),
    ),
  ).toMatchObject({ status: 'published', state: 'withdrawn', refund_tx: expect.stringMatching(/^0x/) as string })
  expect(await market.balance(publisher.wallet)).toBe(before)
})
