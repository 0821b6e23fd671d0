import { localRoles } from '@ergon/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc, startRig, type Rig } from '../adapters/rig.ts'
import {
  applied,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import type { Reply } from '../dispatch/send.ts'

/** What payments may cost whoever pays their gas (decision 0099). */
let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const sent = async (on: Rig = rig): Promise<number> =>
  Number(await rpc(on.chain.rpcUrl, 'eth_getTransactionCount', [localRoles.facilitator.address, 'latest']))
/** Counted down by another process, to the second. */
const atMidnight = expect.stringMatching(/T(00:00:0|23:59:5)/) as string
const spent = { details: { remaining: 0, reset_at: expect.stringMatching(/T00:00:00.000Z$/) as string } }

async function locked(publisher: Party, worker: Party): Promise<{ readonly job: Applied; readonly reply: Reply }> {
  const job = await applied(publisher, worker)
  return { job, reply: await assign(publisher, job, await paymentAuth(publisher, job)) }
}
const takeBack = async (publisher: Party, { taskId }: Applied): Promise<unknown> =>
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
const parties = async (market: LiveMarket): Promise<readonly [Party, Party, Party]> => [
  await market.party(5n),
  await market.party(5n),
  await market.party(0n),
]

test('a publisher who locks the same dollar and takes it back is stopped, and nobody else is; what is held still moves', async () => {
  await using market = await startLiveMarket({ SVC_PAYMENTS_PER_WALLET: '2' }, rig)
  const [publisher, other, worker] = await parties(market)
  const first = await locked(publisher, worker)
  expectStatus(first.reply, 200)
  await takeBack(publisher, first.job)
  const second = await locked(publisher, worker)
  expectStatus(second.reply, 200)
  const third = await applied(publisher, worker)
  const auth = await paymentAuth(publisher, third)
  const before = await sent()
  const refused = await assign(publisher, third, auth)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', details: { by: 'wallet', limit: 2, ...spent.details } },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await sent()).toBe(before)
  expect((await market.get(`/api/v1/tasks/${third.taskId}`)).body).toMatchObject({
    status: 'published',
    escrow_status: 'pending_assignment',
  })
  expectStatus((await locked(other, worker)).reply, 200)
  await takeBack(publisher, second.job)
})

test('an address has a share, and so has a day, which health tells', async () => {
  {
    await using market = await startLiveMarket({ SVC_PAYMENTS_PER_ADDRESS: '1' }, rig)
    const [publisher, other, worker] = await parties(market)
    expectStatus((await locked(publisher, worker)).reply, 200)
    expect((await locked(other, worker)).reply).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', details: { by: 'address', limit: 1 } },
    })
  }
  await using market = await startLiveMarket({ SVC_PAYMENTS_PER_DAY: '1' }, rig)
  const [publisher, other, worker] = await parties(market)
  expect((await market.get('/api/v1/escrow/health')).body).toMatchObject({
    status: 'healthy',
    payments: { today: 0, limit: 1 },
  })
  expectStatus((await locked(publisher, worker)).reply, 200)
  expect((await locked(other, worker)).reply).toMatchObject({
    status: 503,
    body: { code: 'GAS_BUDGET_SPENT', details: { by: 'all', limit: 1, ...spent.details } },
  })
  expect((await market.get('/api/v1/escrow/health')).body).toMatchObject({
    status: 'degraded',
    payments: { today: 1, limit: 1 },
  })
})

test('without escrow the two payments of an approval are counted when the worker is chosen', async () => {
  await using market = await startLiveMarket({ SVC_PAYMENT_MODE: 'fase1', SVC_PAYMENTS_PER_WALLET: '3' }, rig)
  const [publisher, , worker] = await parties(market)
  const [first, second] = [await applied(publisher, worker), await applied(publisher, worker)]
  expectStatus(await assign(publisher, first, '{}'), 200)
  expect(await assign(publisher, second, '{}')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
})

test('a facilitator whose gas is spent is named, and the task is published as before', async () => {
  await using poor = await startRig({ FACILITATOR_PAYMENT_GAS_PER_DAY: '0.5/0/0' })
  await using market = await startLiveMarket({}, poor)
  const [publisher, , worker] = await parties(market)
  const { job, reply } = await locked(publisher, worker)
  expectStatus(reply, 200)
  await takeBack(publisher, job)
  const next = await applied(publisher, worker)
  const before = await sent(poor)
  expect(await assign(publisher, next, await paymentAuth(publisher, next))).toMatchObject({
    status: 503,
    body: { code: 'GAS_BUDGET_SPENT', details: { remaining: 0, reset_at: atMidnight } },
  })
  expect(await sent(poor)).toBe(before)
  expect((await market.get(`/api/v1/tasks/${next.taskId}`)).body).toMatchObject({
    status: 'published',
    escrow_status: 'pending_assignment',
  })
})
