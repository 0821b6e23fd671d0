import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, appliedJob } from '../market/stage.ts'
import { send } from '../dispatch/send.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

/** The operator's clock of one task (decision 0172). */
const adminKey = 'a-key-for-the-operator-of-this-test'
const reason = 'Nobody waits in a test.'
let market: LiveMarket
let publisher: Party
beforeAll(async () => {
  market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey })
  publisher = await market.party(10n)
})
afterAll(() => market[Symbol.asyncDispose]())

const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  send(
    market.url,
    method,
    path,
    { 'x-admin-key': adminKey, 'content-type': 'application/json', ...headers },
    body === undefined ? undefined : JSON.stringify(body),
  )
const elapse = (taskId: string, hours: number) =>
  admin('POST', `/api/v1/admin/tasks/${taskId}/elapse`, { hours, reason }, { 'x-admin-actor': 'grace' })

test('hours pass for one task and no other, and a line in the audit log says by whom', async () => {
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (title) =>
      expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask({ title: `Look at the ${title} gate` })), 201),
    ),
  )
  const taskId = String(one?.body['id'])
  const { body } = expectStatus(await elapse(taskId, 2.5), 200)
  expect(Date.parse(String(body['deadline']))).toBe(Date.parse(String(one?.body['deadline'])) - 2.5 * 3_600_000)
  const { body: untouched } = expectStatus(
    await publisher.call('GET', `/api/v1/tasks/${String(other?.body['id'])}`),
    200,
  )
  expect(untouched['deadline']).toBe(other?.body['deadline'])
  const { lines } = expectStatus(await admin('GET', `/api/v1/admin/audit?subject=${taskId}`), 200).body
  expect(lines).toMatchObject([{ action: 'task.elapse', actor: 'grace', reason, after: { hours: 2.5 } }])
})

test('a task that is over gets no older, and one that is not there is not found', async () => {
  const { body } = expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${String(body['id'])}/cancel`, {}), 200)
  expect((await elapse(String(body['id']), 1)).body['code']).toBe('TASK_STATE_NOT_FORCEABLE')
  expect((await elapse('01890000-0000-7000-8000-000000000001', 1)).body['code']).toBe('TASK_NOT_FOUND')
})

test('where money is real, no clock is moved', async () => {
  await using stage = await openStage('fase2')
  const { taskId } = await appliedJob(stage)
  await expect(stage.market.elapse(taskId, 1, { actor: 'me', reason, requestId: 'r' })).rejects.toThrow(
    expect.objectContaining({ code: 'FEATURE_DISABLED' }) as Error,
  )
})
