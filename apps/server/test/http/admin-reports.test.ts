import { createTestDatabase, type TestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aTask,
  applied,
  eventually,
  expectStatus,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { adminKey, asAdmin, expectShape } from './live-admin.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

const reason = 'It was asked for.'
let database: TestDatabase
let market: LiveMarket
let publisher: Party
let worker: Party

beforeAll(async () => {
  database = await createTestDatabase(serverSchema)
  const env = { SVC_ADMIN_KEY: adminKey, DATABASE_URL: database.url, SVC_RATE_ANON_PER_MIN: '1000' }
  market = await startLiveMarket(env, undefined, { withoutDuties: true })
  publisher = await market.party(50n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('reports (decision 0120)', () => {
  const publishedBy = async (party: Party): Promise<string> =>
    String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  const told = async (target: string, target_id: string) =>
    String(
      expectStatus(
        await worker.call('POST', '/api/v1/reports', { target, target_id, reason: 'fraud', note: 'It is.' }),
        201,
      ).body['id'],
    )
  const read = async (query = ''): Promise<readonly Record<string, unknown>[]> =>
    // The shape holds the list.
    expectShape('admin.reports', await asAdmin(market, 'GET', `/api/v1/admin/reports${query}`))[
      'reports'
    ] as readonly Record<string, unknown>[]
  const decide = (id: string, action: string) =>
    asAdmin(market, 'PUT', `/api/v1/admin/reports/${id}`, { action, reason }, { 'x-admin-actor': 'ada' })
  const isListed = async (taskId: string): Promise<boolean> => {
    const { body } = await market.get('/api/v1/tasks/available?limit=100')
    return (body['tasks'] as readonly { readonly id: string }[]).some(({ id }) => id === taskId)
  }

  test('a note leaves a report open, and dismissing it closes it', async () => {
    const taskId = await publishedBy(publisher)
    const id = await told('task', taskId)
    expect((await read()).find((one) => one['id'] === id)).toMatchObject({
      reporter: worker.wallet,
      target: 'task',
      target_id: taskId,
      task_id: taskId,
      note: 'It is.',
      state: 'open',
      wallet_address: publisher.wallet,
      decided_by: null,
      is_hidden: false,
      is_banned: false,
    })
    expectShape('admin.decideReport', await decide(id, 'note'))
    expect((await read()).find((one) => one['id'] === id)).toMatchObject({ operator_note: reason, decided_by: 'ada' })
    expectShape('admin.decideReport', await decide(id, 'dismiss'))
    expect((await read()).some((one) => one['id'] === id)).toBe(false)
    expect((await read('?status=closed')).find((one) => one['id'] === id)).toMatchObject({ state: 'dismissed' })
    const { lines } = expectShape('admin.audit', await asAdmin(market, 'GET', `/api/v1/admin/audit?subject=${id}`))
    expect(lines).toMatchObject([
      {
        action: 'report.decide',
        actor: 'ada',
        before: { state: 'open' },
        after: { state: 'dismissed', action: 'dismiss' },
      },
      { action: 'report.decide', after: { state: 'open', action: 'note' } },
    ])
    const own = expectStatus(await worker.call('GET', '/api/v1/reports'), 200).body
    expect(JSON.stringify(own), 'who reports does not read what the operator wrote').not.toContain(reason)
  })

  test('a task that is hidden is in no list and goes on for whoever knows it, until it is shown again', async () => {
    const taskId = await publishedBy(publisher)
    const id = await told('task', taskId)
    expect(await isListed(taskId)).toBe(true)
    expect(expectShape('admin.decideReport', await decide(id, 'hide'))).toMatchObject({
      state: 'hidden',
      is_hidden: true,
    })
    expect(await isListed(taskId)).toBe(false)
    expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, { message: 'I know it.' }), 201)
    expect(expectShape('admin.decideReport', await decide(id, 'show'))).toMatchObject({
      state: 'open',
      is_hidden: false,
    })
    expect(await isListed(taskId)).toBe(true)
  })

  test('a ban from a report holds for whoever answers for what is reported', async () => {
    const bad = await market.party(10n)
    const taskId = await publishedBy(bad)
    const id = await told('task', taskId)
    expect(expectShape('admin.decideReport', await decide(id, 'ban'))).toMatchObject({
      state: 'banned',
      is_banned: true,
    })
    expect(await isListed(taskId)).toBe(false)
    await eventually(
      async () => (await bad.call('POST', '/api/v1/tasks', {})).status,
      (status) => status === 403,
    )
  })

  test('what makes no sense is refused: hiding a person, a report that is none', async () => {
    const { executorId } = await applied(publisher, worker)
    const id = String(
      expectStatus(
        await publisher.call('POST', '/api/v1/reports', { target: 'worker', target_id: executorId, reason: 'other' }),
        201,
      ).body['id'],
    )
    expect((await decide(id, 'hide')).status).toBe(422)
    expect((await decide('01890000-0000-7000-8000-000000000000', 'note')).body).toMatchObject({ code: 'NOT_FOUND' })
  })
})
