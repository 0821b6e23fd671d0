import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedIn } from './live-people.ts'
import {
  aTask,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'

let market: LiveMarket
beforeAll(async () => {
  market = await startLiveMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Side = Pick<Party, 'call'>
type Cell = { readonly taskId: string; readonly submissionId: string; readonly executorId: string }

/** Handed in; publisher and worker speak through `by` and `of`, the wallet of the publisher signs. */
async function handedIn(publisher: Party, by: Side, of: Side, isPerson: boolean): Promise<Cell> {
  const published = await by.call('POST', isPerson ? '/api/v1/h2a/tasks' : '/api/v1/tasks', aTask())
  const taskId = String(published.body[isPerson ? 'task_id' : 'id'] ?? published.body['id'])
  const application = expectStatus(await of.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
  const job = { taskId, executorId: String(application.body['executor_id']) }
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return { ...job, submissionId: await submit(of as Party, taskId) }
}

describe('bidirectional on-chain ratings (spec §1.5): every party of a finished task rates the other and is rated', () => {
  test.each([
    ['an agent and a person', false, true],
    ['a person and an agent', true, false],
    ['a person and a person', true, true],
  ] as const)('%s', async (_cell, publisherIsPerson, workerIsPerson) => {
    const [publisher, worker] = [await market.party(5n), await market.party(0n)]
    const by: Side = publisherIsPerson ? await signedIn(market, publisher) : publisher
    const of: Side = workerIsPerson ? await signedIn(market, worker) : worker
    const { taskId, submissionId, executorId } = await handedIn(publisher, by, of, publisherIsPerson)
    const fields = { rating: 91, ...(await approveFields(publisher, submissionId)) }
    const path = publisherIsPerson
      ? `/api/v1/h2a/tasks/${taskId}/approve`
      : `/api/v1/submissions/${submissionId}/approve`
    const verdict = publisherIsPerson ? { verdict: 'accepted' } : {}
    expect(expectStatus(await by.call('POST', path, { ...verdict, ...fields }), 200).body).toMatchObject({
      rating_status: 'on_its_way',
    })
    const rated = await of.call('POST', '/api/v1/reputation/agents/rate', { task_id: taskId, score: 83 })
    expect([rated.status, rated.body['success']]).toEqual([200, true])
    await expect
      .poll(async () => (await market.get(`/api/v1/workers/${executorId}/reputation`)).body['avg_score'], {
        timeout: 20_000,
      })
      .toBe(91)
    expect((await market.get(`/api/v1/reputation/publishers/${publisher.wallet}`)).body).toMatchObject({
      avg_score: 83,
    })
  })
})
