import { operations, type Operation } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'

const adminKey = 'the admin key of this test'
let market: LiveMarket
let publisher: Party
let worker: Party
let job: Applied
let submissionId: string

beforeAll(async () => {
  market = await startLiveMarket({
    SVC_ADMIN_KEY: adminKey,
    SVC_OAUTH: 'true',
    SVC_RATE_ANON_PER_MIN: '400',
    SVC_RATE_WALLET_PER_MIN: '400',
  })
  publisher = await market.party(40n)
  worker = await market.party(0n)
  job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  submissionId = await submit(worker, job.taskId)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

function expectShape(name: keyof typeof operations, reply: Reply): Readonly<Record<string, unknown>> {
  const { body } = expectStatus(reply, 200)
  const definition: Operation = operations[name]
  expect([...Compile(definition.output).Errors(body)], name).toEqual([])
  return body
}

const asAdmin = async (target: string, key = adminKey): Promise<Reply> =>
  send(market.url, 'GET', target, { host: authority, 'x-admin-key': key })

describe('limit and offset', () => {
  const short = [
    ['tasks.submissions', () => `/api/v1/tasks/${job.taskId}/submissions`],
    ['submissions.evidence', () => `/api/v1/submissions/${submissionId}/evidence`],
    ['payments.events', () => `/api/v1/payments/events/${job.taskId}`],
    ['payments.networks', () => '/api/v1/payments/networks'],
    ['payments.balance', () => `/api/v1/payments/balance/${worker.wallet}`],
    ['reputation.networks', () => '/api/v1/reputation/networks'],
    ['reputation.crossChain', () => `/api/v1/reputation/wallet/${worker.wallet}/cross-chain`],
    ['reputation.publisher', () => `/api/v1/reputation/publishers/${publisher.wallet}`],
    ['workers.reputation', () => `/api/v1/workers/${job.executorId}/reputation`],
    ['listings.match', () => `/api/v1/services/match/for-task/${job.taskId}`],
    ['agents.directory', () => '/api/v1/agents/directory'],
    ['webhooks.list', () => '/api/v1/webhooks'],
    ['webhooks.catalogue', () => '/api/v1/webhooks/events'],
    ['grants.log', () => '/api/v1/account/grants/log'],
  ] as const
  test.each(short)('%s shows a part, and what is left of it', async (name, path) => {
    const whole = expectShape(name, await publisher.call('GET', path()))
    const total = whole['total'] ?? whole['count']
    const one = expectShape(name, await publisher.call('GET', `${path()}?limit=1&offset=0`))
    expect(one).toMatchObject({ count: Math.min(1, Number(total)), offset: 0, has_more: Number(total) > 1 })
    const behind = expectShape(name, await publisher.call('GET', `${path()}?limit=1&offset=${String(total)}`))
    expect(behind).toMatchObject({ count: 0, offset: total, has_more: false })
  })

  test('the parts of a log are its whole, in order and without a gap', async () => {
    const path = `/api/v1/payments/events/${job.taskId}`
    const whole = expectShape('payments.events', await market.get(path))['events'] as readonly { readonly id: string }[]
    expect(whole.length).toBeGreaterThan(1)
    const parts: unknown[] = []
    for (let offset = 0; offset < whole.length; offset += 1)
      parts.push(
        ...(expectShape('payments.events', await market.get(`${path}?limit=1&offset=${String(offset)}`))[
          'events'
        ] as []),
      )
    expect(parts).toEqual(whole)
  })

  test('events are skipped once, and the cursor goes on behind them', async () => {
    const feed = '/api/v1/events?scope=mine'
    type Feed = { readonly events: readonly { readonly id: string }[]; readonly next_cursor: string }
    const read = async (more: string): Promise<Feed> =>
      expectShape('events.list', await publisher.call('GET', `${feed}${more}`)) as unknown as Feed
    const all = (await read('')).events.map(({ id }) => id)
    const part = await read('&offset=1&limit=1')
    expect(part.events.map(({ id }) => id)).toEqual([all[1]])
    expect((await read(`&cursor=${part.next_cursor}&limit=1`)).events.map(({ id }) => id)).toEqual([all[2]])
  })

  test.each(['/api/v1/tasks', '/api/v1/workers', '/api/v1/agents/directory', '/api/v1/payments/networks'])(
    'an offset of %s deeper than the ceiling is refused with the ceiling',
    async (path) => {
      expectStatus(await market.get(`${path}?offset=10000`), 200)
      const refused = expectStatus(await market.get(`${path}?offset=10001`), 422)
      expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'offset', max: 10_000 } })
    },
  )

  test('page and offset of the directory are one place said twice, so only one is taken', async () => {
    expect((await market.get('/api/v1/agents/directory?page=2&limit=1')).body).toMatchObject({ offset: 1, page: 2 })
    expect((await market.get('/api/v1/agents/directory?offset=1&limit=1')).body).toMatchObject({ offset: 1, page: 2 })
    expectStatus(await market.get('/api/v1/agents/directory?page=2&offset=1'), 422)
  })
})

describe('an unsigned caller owns no rows (spec §5.5)', () => {
  test.each([
    ['submissions.list', (): string => '/api/v1/submissions'],
    ['listings.mine', (): string => '/api/v1/services/mine'],
    ['events.list', (): string => '/api/v1/events?scope=mine'],
    ['disputes.list', (): string => '/api/v1/disputes'],
    ['reports.list', (): string => '/api/v1/reports'],
    ['users.blocked', (): string => '/api/v1/users/blocked'],
    ['webhooks.list', (): string => '/api/v1/webhooks'],
    ['grants.list', (): string => '/api/v1/account/grants'],
    ['grants.log', (): string => '/api/v1/account/grants/log'],
    ['workers.earnings', (): string => `/api/v1/workers/${job.executorId}/earnings`],
  ] as const)('%s is empty, and no error', async (name, path) => {
    const body = expectShape(name, await market.get(path()))
    for (const value of Object.values(body)) if (Array.isArray(value)) expect(value).toEqual([])
    if ('total' in body) expect(body['total']).toBe(0)
  })

  test.each([
    () => `/api/v1/tasks/${job.taskId}/applications`,
    () => `/api/v1/tasks/${job.taskId}/submissions`,
    () => `/api/v1/submissions/${submissionId}`,
  ])('applications and submissions of a task are gated: 403 (%#)', async (path) => {
    expect((await market.get(path())).status).toBe(403)
  })

  test('another wallet reads no earnings of a worker, and a bad signature is no anonymity', async () => {
    expectStatus(await publisher.call('GET', `/api/v1/workers/${job.executorId}/earnings`), 403)
    expect(
      (await send(market.url, 'GET', '/api/v1/reports', { host: authority, signature: 'sig=:AA==:' })).status,
    ).toBe(401)
  })
})

describe('min_reputation of a worker without a rating (decision 0154)', () => {
  const finds = async (target: string, field: string): Promise<boolean> =>
    ((await market.get(target)).body[field] as readonly Readonly<Record<string, unknown>>[]).some(
      (one) =>
        (one['id'] ?? one['executor_id'] ?? one['seller_executor_id']) === job.executorId ||
        one['seller_executor_id'] === job.executorId,
    )

  test.each([
    [0, true],
    [50, true],
    [50.5, false],
    [51, false],
  ])('clears a floor of %d: %s, in rankings, in the directory, in listings and at the door', async (floor, clears) => {
    expect(await finds(`/api/v1/workers?limit=100&min_reputation=${String(floor)}`, 'workers')).toBe(clears)
    expect(await finds(`/api/v1/agents/directory?limit=100&min_rating=${String(floor)}`, 'agents')).toBe(clears)
    await worker.call('POST', '/api/v1/services', {
      title: 'Photographs of gates',
      description: 'One sharp photograph of any gate in town.',
      category: 'simple_action',
      unit_price_usd: 1,
    })
    expect(await finds(`/api/v1/services?limit=100&min_reputation=${String(floor)}`, 'listings')).toBe(clears)
    const gated = await publisher.call('POST', '/api/v1/tasks', {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and write what you see.',
      category: 'simple_action',
      bounty_usd: 1.07,
      evidence_required: ['text_response'],
      min_reputation: floor,
    })
    const taskId = String(expectStatus(gated, 201).body['id'])
    expect((await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {})).status).toBe(clears ? 201 : 403)
  })
})

describe('earnings', () => {
  test('a split shows the part of the bounty that was paid out, and what of it arrived', async () => {
    const other = await market.party(0n)
    const split = await applied(publisher, other)
    expectStatus(await assign(publisher, split, await paymentAuth(publisher, split)), 200)
    const disputed = await submit(other, split.taskId)
    const opened = await other.call('POST', `/api/v1/submissions/${disputed}/dispute`, {
      reason: 'no_response',
      description: 'Nobody looks at it.',
    })
    const path = `/api/v1/disputes/${String(expectStatus(opened, 201).body['id'])}`
    const verdict = JSON.stringify({ verdict: 'split', split_pct: 50, reason: 'Half of it is there.' })
    const headers = { host: authority, 'x-admin-key': adminKey, 'content-type': 'application/json' }
    expect([200, 202]).toContain((await send(market.url, 'POST', `${path}/resolve`, headers, verdict)).status)
    await eventually(
      async () => (await asAdmin(path)).body,
      (body) => body['status'] === 'resolved',
    )
    const earned = await other.call('GET', `/api/v1/workers/${split.executorId}/earnings`)
    expect(expectShape('workers.earnings', earned)).toMatchObject({
      paid: [{ payout_usd: 0.46545, count: 1 }],
      pending: [],
      payments: [{ task_id: split.taskId, gross_usd: 0.535, payout_usd: 0.46545 }],
    })
  })

  test('a whole payment shows the bounty', async () => {
    const approved = await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, {
      ...(await approveFields(publisher, submissionId)),
    })
    expect([200, 202]).toContain(approved.status)
    const earned = await eventually(
      async () => (await worker.call('GET', `/api/v1/workers/${job.executorId}/earnings`)).body,
      (body) => body['total'] === 1,
    )
    expect(earned).toMatchObject({ payments: [{ gross_usd: 1.07, payout_usd: 0.9309 }] })
  })
})

describe('the admin key is unlimited on every route (spec §8)', () => {
  test.each(['/api/v1/tasks', '/api/v1/admin/tasks', '/api/v1/disputes', '/api/v1/workers', '/api/v1/reports'])(
    '%s answers it without a limit, and refuses a wrong key',
    async (path) => {
      const right = expectStatus(await asAdmin(path), 200)
      expect(right.headers['ratelimit-limit']).toBeUndefined()
      expect((await asAdmin(path, 'another key')).body).toMatchObject({ code: 'INVALID_API_KEY' })
    },
  )
})
