import { keccak256Hex } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from '../adapters/rig.ts'
import {
  applied,
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

type Paid = {
  readonly publisher: Party
  readonly worker: Party
  readonly taskId: string
  readonly executorId: string
  readonly paymentTx: string
}

async function paidJob(): Promise<Paid> {
  const [publisher, worker] = [await market.party(5n), await market.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const approved = expectStatus(
    await publisher.call(
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
    ),
    200,
  )
  return { publisher, worker, ...job, paymentTx: String(approved.body['payment_tx']) }
}

const rateWorker = (by: Party, fields: Record<string, unknown>) =>
  by.call('POST', '/api/v1/reputation/workers/rate', fields)
const rateAgent = (by: Party, fields: Record<string, unknown>) =>
  by.call('POST', '/api/v1/reputation/agents/rate', fields)

test('a publisher rates its worker and the worker the publisher: both on chain, authored by the facilitator, documents served', async () => {
  const { publisher, worker, taskId, paymentTx } = await paidJob()
  const first = expectStatus(
    await rateWorker(publisher, {
      score: 90,
      task_id: taskId,
      comment: 'Sharp photographs.',
      worker_address: worker.wallet,
      proof_tx: paymentTx,
    }),
    200,
  )
  expect(first.body).toMatchObject({
    success: true,
    network: 'localnet',
    feedback_index: expect.any(Number) as number,
    transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
  })
  const second = expectStatus(await rateAgent(worker, { score: 70, task_id: taskId }), 200)
  expect(second.body).toMatchObject({ success: true })
  expect(second.body['authored_by']).toBe(first.body['authored_by'])
  expect([publisher.wallet, worker.wallet]).not.toContain(first.body['authored_by'])
  for (const [direction, reply] of [
    ['publisher_rates_executor', first],
    ['executor_rates_publisher', second],
  ] as const) {
    const document = await fetch(`${market.url}/api/v1/reputation/feedback/${taskId}?direction=${direction}`)
    const hash = keccak256Hex(new Uint8Array(await document.arrayBuffer()))
    const receipt = await rpc(market.rig.chain.rpcUrl, 'eth_getTransactionReceipt', [reply.body['transaction_hash']])
    expect(JSON.stringify(receipt)).toContain(hash.slice(2))
  }
})

describe('one rating a task and direction, over every way to rate', () => {
  test('given directly, it can neither be given again nor prepared', async () => {
    const { publisher, taskId } = await paidJob()
    expectStatus(await rateWorker(publisher, { score: 90, task_id: taskId }), 200)
    for (const again of [
      await rateWorker(publisher, { score: 10, task_id: taskId }),
      await publisher.call('POST', '/api/v1/reputation/relay/prepare', {
        task_id: taskId,
        direction: 'publisher_rates_executor',
        score: 10,
      }),
    ]) {
      expect([again.status, again.body.detail?.['code']]).toEqual([409, 'ALREADY_RATED'])
    }
  })

  test('of ten at once one is given', async () => {
    const { publisher, taskId } = await paidJob()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, score) => rateWorker(publisher, { score, task_id: taskId })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  })
})

test('what a rating says about its task must be so, and only its sides may give it', async () => {
  const { publisher, worker, taskId } = await paidJob()
  const stranger = await market.party(0n)
  const refused = async (
    reply: Promise<{ readonly status: number; readonly body: { readonly detail?: Record<string, unknown> } }>,
  ) => {
    const { status, body } = await reply
    return [status, body.detail?.['code']]
  }
  expect(await refused(rateWorker(publisher, { score: 101, task_id: taskId }))).toEqual([422, 'VALIDATION_FAILED'])
  expect(await refused(rateWorker(publisher, { score: 50, task_id: taskId.slice(1) }))).toEqual([
    422,
    'VALIDATION_FAILED',
  ])
  expect(await refused(rateWorker(publisher, { score: 50, task_id: taskId, worker_address: stranger.wallet }))).toEqual(
    [422, 'VALIDATION_FAILED'],
  )
  expect(await refused(rateWorker(publisher, { score: 50, task_id: taskId, proof_tx: `0x${'1'.repeat(64)}` }))).toEqual(
    [422, 'VALIDATION_FAILED'],
  )
  expect(await refused(rateAgent(worker, { score: 50, task_id: taskId, agent_id: 9_999_999 }))).toEqual([
    422,
    'VALIDATION_FAILED',
  ])
  expect(await refused(rateWorker(worker, { score: 50, task_id: taskId }))).toEqual([403, 'FORBIDDEN'])
  expect(await refused(rateAgent(stranger, { score: 50, task_id: taskId }))).toEqual([403, 'FORBIDDEN'])
})

test('an application and a listing say how much of a history stems from who asks', async () => {
  const { publisher, worker, executorId } = await paidJob()
  const next = await applied(publisher, worker)
  const expected = {
    tasks_with_this_publisher: 1,
    total_completed: 1,
    distinct_publishers: 1,
    concentration: 1,
    flagged: false,
  }
  const list = expectStatus(await publisher.call('GET', `/api/v1/tasks/${next.taskId}/applications`), 200)
  expect(list.body['applications']).toMatchObject([{ executor_id: executorId, counterparty_correlation: expected }])
  const listing = expectStatus(
    await worker.call('POST', '/api/v1/services', {
      title: 'Photographs of gates',
      description: 'One sharp photograph of any gate in town.',
      category: 'simple_action',
      unit_price_usd: 1,
    }),
    201,
  )
  expect(listing.body['seller_correlation']).toBeNull()
  const target = `/api/v1/services/${String(listing.body['id'])}`
  expect((await publisher.call('GET', target)).body['seller_correlation']).toEqual(expected)
  expect((await market.get(target)).body['seller_correlation']).toBeNull()
})

test('health says what the ledger and the chains differ in', async () => {
  await paidJob()
  await market.app.market.duties.auditMoney()
  const { body } = await market.get('/api/v1/health/payments')
  expect(body['findings']).toEqual({
    expired: 0,
    stuck: 0,
    orphaned: 0,
    unnamed: 0,
    mismatch: 0,
    reorged: 0,
    rating_hash: 0,
    unclaimed: 0,
    behind: 0,
  })
  expect(body).toMatchObject({ oldest_finding_at: null, audited_at: expect.any(String) as string })
})

test('the networks say where ratings may be given, in whose name, and where they can be read', async () => {
  const { body } = await market.get('/api/v1/reputation/networks')
  expect(body['networks']).toContainEqual({
    network: 'localnet',
    rater_authored_ratings: true,
    selectable_for_reputation: true,
    readable: true,
  })
})
