import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRig, type Rig } from '../adapters/rig.ts'
import { contractParty } from './contract-wallet.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
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
  const at = { url: market.url, rpcUrl: rig.chain.rpcUrl }
  ;[publisher, worker] = [await contractParty(at, 20n), await contractParty(at, 0n)]
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

async function delivered(by: Party): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  const job = await applied(publisher, by)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return { taskId: job.taskId, submissionId: await submit(by, job.taskId) }
}

test('a wallet that is a contract publishes, locks, approves and is refunded; another works and is paid', async () => {
  const { taskId, submissionId } = await delivered(worker)
  const fields = await approveFields(publisher, submissionId)
  const approved = expectStatus(
    await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields),
    200,
  )
  expect(approved.body).toMatchObject({ status: 'approved', worker_net_usdc: 0.9309 })
  expect(await market.balance(worker.wallet)).toBe(930_900n)
  await eventually(
    () => publisher.call('GET', `/api/v1/payments/${taskId}`),
    (reply) => reply.body['fee_tx'] !== null,
  )

  const job = await applied(publisher, worker)
  const before = await market.balance(publisher.wallet)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  expectStatus(await publisher.call('DELETE', `/api/v1/tasks/${job.taskId}?reason=changed`), 200)
  expect(await market.balance(publisher.wallet)).toBe(before)
})

test('an order that the contract did not sign is refused, and the one that it signed pays', async () => {
  const { submissionId } = await delivered(worker)
  const path = `/api/v1/submissions/${submissionId}/approve`
  const fields = await approveFields(publisher, submissionId)
  const order = fields['lifecycle_order'] as { readonly signature: string } // as approveFields makes it
  const forged = {
    ...fields,
    lifecycle_order: { ...order, signature: order.signature.replace(/^0x.{8}/, '0x12345678') },
  }
  const refused = { status: 409, body: { code: 'LIFECYCLE_ORDER_INVALID' } }
  expect(await publisher.call('POST', path, forged)).toMatchObject(refused)
  expectStatus(await publisher.call('POST', path, fields), 200)
})

test('wallets that proved themselves do not wait for each other behind one address', async () => {
  const statuses = []
  for (let count = 0; count < 30; count += 1) {
    const party = count % 2 === 0 ? publisher : worker
    statuses.push((await party.call('GET', '/api/v1/users/blocked')).status)
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})
