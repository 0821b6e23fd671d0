import { afterAll, beforeAll, expect, test } from 'vitest'
import { withRandomSalt } from '../../src/testing/random-salt.ts'
import { startRig, type Rig } from '../adapters/rig.ts'
import {
  applied,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'

let rig: Rig
let market: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  rig = await startRig()
  market = await startLiveMarket({}, rig)
  ;[publisher, worker] = [await market.party(20n), await market.party(0n)]
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

const used = { status: 409, body: { code: 'PAYMENT_AUTH_USED', detail: { retryable: false } } }

/** What is signed for the second outlives the deadline of both. */
const twoTasks = async () => [await applied(publisher, worker), await applied(publisher, worker)] as const

test('what was signed for one task is refused for another before anything is written, and still locks its own', async () => {
  const [other, one] = await twoTasks()
  const signed = await paymentAuth(publisher, one)
  expect(await assign(publisher, other, signed)).toMatchObject(used)
  expect((await publisher.call('GET', `/api/v1/payments/events/${other.taskId}`)).body['events']).toEqual([])
  expectStatus(await assign(publisher, one, signed), 200)
  expect(await assign(publisher, other, signed)).toMatchObject(used)
  expectStatus(await assign(publisher, other, await paymentAuth(publisher, other)), 200)
})

test('a random salt of a foreign client works once, and the second task that it is used for is told so for good', async () => {
  const [other, one] = await twoTasks()
  const signed = await withRandomSalt(await paymentAuth(publisher, one), publisher.signer)
  expectStatus(await assign(publisher, one, signed), 200)
  for (const _again of [1, 2]) expect(await assign(publisher, other, signed)).toMatchObject(used)
  expectStatus(await publisher.call('GET', `/api/v1/tasks/${other.taskId}`), 200)
  expectStatus(await assign(publisher, other, await paymentAuth(publisher, other)), 200)
})

test('of two tasks at once that use one authorization one is locked', async () => {
  const jobs = await twoTasks()
  const signed = await withRandomSalt(await paymentAuth(publisher, jobs[1]), publisher.signer)
  const replies = await Promise.all(jobs.map((job) => assign(publisher, job, signed)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(replies.find(({ status }) => status === 409)).toMatchObject(used)
})
