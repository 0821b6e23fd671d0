import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRig, treasury, type Rig } from '../adapters/rig.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
} from './live-market.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

type Event = { readonly type: string; readonly status: string; readonly tx_hash: string | null }

describe.each(['fase1', 'fase2', 'fase5'] as const)('the whole job over HTTP in %s', (mode) => {
  test('a task is published, earned and paid: 87 parts to the worker, 13 to the treasury', async () => {
    await using market = await startLiveMarket({ SVC_PAYMENT_MODE: mode }, rig)
    const [publisher, worker] = [await market.party(5n), await market.party(0n)]
    const treasuryBefore = await market.balance(treasury)

    const job = await applied(publisher, worker)
    if (mode === 'fase1') {
      expectStatus(
        await publisher.call('POST', `/api/v1/tasks/${job.taskId}/assign`, { executor_id: job.executorId }),
        200,
      )
    } else {
      const assigned = expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
      expect(assigned.body).toMatchObject({
        status: 'accepted',
        worker_wallet: worker.wallet,
        escrow_status: 'authorized',
      })
      expect(await market.balance(publisher.wallet)).toBe(3_930_000n)
    }
    const submissionId = await submit(worker, job.taskId)
    const approved = expectStatus(
      await publisher.call('POST', `/api/v1/tasks/${job.taskId}/approve`, {
        ...(await approveFields(publisher, submissionId)),
        rating: 90,
      }),
      200,
    )
    expect(approved.body).toMatchObject({
      status: 'approved',
      payment_mode: mode,
      gross_amount_usdc: 1.07,
      worker_net_usdc: 0.9309,
      platform_fee_usdc: 0.1391,
    })

    expect(await market.balance(worker.wallet)).toBe(930_900n)
    expect(await market.balance(publisher.wallet)).toBe(3_930_000n)
    await eventually(
      () => market.balance(treasury),
      (balance) => balance - treasuryBefore === 139_100n,
    )
    const payment = await eventually(
      () => publisher.call('GET', `/api/v1/payments/${job.taskId}`),
      (reply) => reply.body['fee_tx'] !== null,
    )
    expect(payment.body).toMatchObject({ total_amount: 1.07, released_net_usdc: 0.9309, platform_fee_usdc: 0.1391 })
    const task = expectStatus(await market.get(`/api/v1/tasks/${job.taskId}`), 200)
    expect(task.body).toMatchObject({
      status: 'completed',
      bounty_usd: 1.07,
      payment_network: 'localnet',
      agent_id: publisher.wallet,
    })
    const events = (await market.get(`/api/v1/payments/events/${job.taskId}`)).body['events'] as readonly Event[]
    expect(events.every((event) => event.status === 'success' && event.tx_hash !== '')).toBe(true)
    await eventually(
      () => market.get(`/api/v1/health/payments`),
      (reply) => reply.body['in_flight'] === 0 && reply.body['ledger_balanced'] === true,
    )
  })
})

test('a cancelled task gives the whole bounty back to the payer', async () => {
  await using market = await startLiveMarket({}, rig)
  const [publisher, worker] = [await market.party(2n), await market.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  expect(await market.balance(publisher.wallet)).toBe(930_000n)
  const cancelled = await publisher.call('DELETE', `/api/v1/tasks/${job.taskId}?reason=changed`)
  expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'cancelled'])
  expect(await market.balance(publisher.wallet)).toBe(2_000_000n)
  expect((await market.get(`/api/v1/tasks/${job.taskId}`)).status).toBe(410)
  expect((await publisher.call('GET', `/api/v1/tasks/${job.taskId}`)).body).toMatchObject({
    status: 'cancelled',
    escrow_status: 'refunded',
  })
})
