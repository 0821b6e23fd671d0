import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { acceptFields, offered } from './live-offers.ts'

let market: LiveMarket
let publisher: Party
let worker: Party

beforeAll(async () => {
  market = await startLiveMarket({ SVC_ARBITERS: '0x5555555555555555555555555555555555555555' })
  publisher = await market.party(20n)
  worker = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

async function acceptedJob() {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job
}

const balances = async () => [await market.balance(worker.wallet), await market.balance(publisher.wallet)] as const

// The bounty is 1.07 USD: of 0.5 the worker gets 0.435, and 0.57 goes back.
test.each([
  ['the payer accepts, with a release order of its own', () => [worker, publisher] as const],
  ['the worker accepts, and the order key of the service signs for both', () => [publisher, worker] as const],
])('what was rejected is divided on chain: %s', async (_says, sides) => {
  const [from, to] = sides()
  const { taskId } = await acceptedJob()
  const submissionId = await submit(worker, taskId)
  const rejecting = { reason: 'The gate is not on it.' }
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/reject`, rejecting), 200)
  const [workerBefore, payerBefore] = await balances()
  const offerId = await offered(from, taskId)
  const task = await publisher.call('GET', `/api/v1/tasks/${taskId}`)
  expect(task.body['next_action']).toMatchObject({ what: 'answer_offer' })
  const fields = await acceptFields(to, offerId)
  expect('lifecycle_order' in fields).toBe(to === publisher)
  const accepted = await to.call('POST', `/api/v1/settlements/${offerId}/accept`, fields)
  expect([200, 202]).toContain(accepted.status)
  const after = await eventually(balances, ([got]) => got > workerBefore, 20_000)
  expect(after[0] - workerBefore).toBe(435_000n)
  await eventually(balances, ([, back]) => back - payerBefore === 570_000n, 20_000)
  expect((await balances())[1] - payerBefore).toBe(570_000n)
  // Accepted once: what is settled is settled.
  const again = await to.call('POST', `/api/v1/settlements/${offerId}/accept`, fields)
  expect([again.status, again.body['code']]).toEqual([409, 'OFFER_NOT_OPEN'])
})

test('the arbiters of a deployment are known to everybody', async () => {
  expect((await market.get('/api/v1/arbiters')).body).toEqual({
    arbiters: ['0x5555555555555555555555555555555555555555'],
    appeal_hours: 24,
  })
})
