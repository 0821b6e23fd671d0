import { createMarket } from '@ergon/core'
import { expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  gateTask,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

/** Mode fase1: the payer moves the money of the fee away between the payout and the fee (issue 11, point 8). */

async function withoutFee(stage: Stage) {
  const job = await submittedJob(stage)
  const input = await approval(stage, job.submissionId)
  let left = 0n
  stage.chain.fault = (method, order) => {
    if (method === 'send' && order?.kind === 'charge' && order.transfer.to === 'treasury' && left === 0n) {
      left = stage.chain.balance(publisher.wallet)
      stage.chain.fund(publisher.wallet, -left)
    }
    return 'none'
  }
  expect(await stage.market.approve(publisher, job.submissionId, input)).toMatchObject({
    state: 'approved',
    feeTx: null,
  })
  stage.chain.fault = () => 'none'
  return {
    ...job,
    back: () => {
      stage.chain.fund(publisher.wallet, left)
    },
  }
}

const again = (stage: Stage) => appliedJob(stage)
/** Past everything a fee was signed for. */
async function untilDead(stage: Stage): Promise<void> {
  stage.clock.advance(24 * 3_600_000)
  for (let round = 0; round < 3; round += 1) {
    stage.clock.advance(301_000)
    await stage.market.duties.reconcile()
  }
}
const signed = async (stage: Stage, taskId: string): Promise<string> => {
  const { auth } = await stage.market.feeChallenge(publisher, taskId)
  if (auth === null) throw new Error('an authorization may still land')
  return JSON.stringify(auth.envelope)
}

test('the worker is paid, and whoever moved the fee away publishes nothing more: the refusal says what to pay, where and how', async () => {
  await using stage = await openStage('fase1')
  const { taskId } = await withoutFee(stage)
  expect(stage.chain.balance(worker.wallet)).toBe(8_700_000n)
  const details = {
    task_id: taskId,
    network: 'localnet',
    token: 'USDC',
    required_usdc: 1.3,
    wallet_address: publisher.wallet,
    challenge: `/api/v1/tasks/${taskId}/fee/challenge`,
  }
  await expect(again(stage)).rejects.toMatchObject({ code: 'FEE_UNPAID', details: { ...details, is_under_way: true } })
  await untilDead(stage)
  await expect(again(stage)).rejects.toMatchObject({ code: 'FEE_UNPAID', details: { ...details, is_under_way: false } })
  expect((await paymentEventsOf(stage, taskId)).filter(({ type }) => type === 'disburse_fee')).toMatchObject([
    { status: 'failed' },
  ])
})

test('while what was signed can land, money on the wallet is enough, and no other signature is taken beside it', async () => {
  await using stage = await openStage('fase1')
  const { taskId, back } = await withoutFee(stage)
  expect(await stage.market.feeChallenge(publisher, taskId)).toMatchObject({ taskId, auth: null })
  await expect(stage.market.payFee(publisher, taskId, '{}')).rejects.toMatchObject({ code: 'APPROVAL_IN_FLIGHT' })
  back()
  await untilQuiet(stage)
  await again(stage)
  expect(stage.chain.balance('treasury')).toBe(1_300_000n)
})

test('an unpaid fee is paid once: claimed, paid, confirmed, named by its transaction', async () => {
  await using stage = await openStage('fase1')
  const { taskId, back } = await withoutFee(stage)
  await untilDead(stage)
  await expect(stage.market.payFee(worker, taskId, '{}')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(stage.market.payFee(publisher, taskId, await signed(stage, taskId))).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
  back()
  const auths = await Promise.all(Array.from({ length: 4 }, () => signed(stage, taskId)))
  const ends = await Promise.allSettled(auths.map((auth) => stage.market.payFee(publisher, taskId, auth)))
  const paid = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  expect(paid).toMatchObject([{ state: 'paid', taskId, fee: { atomic: 1_300_000n } }])
  expect(stage.chain.balance('treasury')).toBe(1_300_000n)
  expect(await stage.market.feePaid(publisher, taskId)).toEqual(paid[0])
  expect((await stage.market.payment(publisher, taskId)).feeTx).toBe(paid[0]?.feeTx)
  await expect(stage.market.payFee(publisher, taskId, '{}')).rejects.toMatchObject({ code: 'FEE_NOT_OWED' })
  expect(await ledgerDisagreements(stage)).toEqual([])
  await again(stage)
})

test('a fee that is paid while its answer is lost is finished by the reconciler, and paid once', async () => {
  await using stage = await openStage('fase1')
  const { taskId, back } = await withoutFee(stage)
  await untilDead(stage)
  back()
  const auth = await signed(stage, taskId)
  stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
  expect(await stage.market.payFee(publisher, taskId, auth)).toMatchObject({ state: 'paying', feeTx: null })
  expect(await stage.market.feePaid(publisher, taskId)).toMatchObject({ state: 'paying' })
  stage.chain.fault = () => 'none'
  await untilQuiet(stage)
  expect(await stage.market.feePaid(publisher, taskId)).toMatchObject({ state: 'paid' })
  expect(stage.chain.balance('treasury')).toBe(1_300_000n)
})

test('a facilitator that is away is no debt of the publisher', async () => {
  await using stage = await openStage('fase1')
  const job = await submittedJob(stage)
  const input = await approval(stage, job.submissionId)
  stage.chain.fault = (method, order) =>
    method === 'send' && order?.kind === 'charge' && order.transfer.to === 'treasury' ? 'unavailable' : 'none'
  await stage.market.approve(publisher, job.submissionId, input)
  await again(stage)
  await expect(stage.market.feeChallenge(publisher, job.taskId)).rejects.toMatchObject({ code: 'FEE_NOT_OWED' })
})

test('what was published under a key before the debt is answered again, and nothing else is', async () => {
  await using stage = await openStage('fase1')
  const publish = (key: string, bodyHash: string) =>
    stage.market.publish(publisher, gateTask({ idempotency: { key, bodyHash } }))
  const first = await publish('once', 'as it was')
  await withoutFee(stage)
  await untilDead(stage)
  expect(await publish('once', 'as it was')).toMatchObject({ replayed: true, task: { id: first.task.id } })
  await expect(publish('once', 'another body')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  await expect(publish('another', 'as it was')).rejects.toMatchObject({ code: 'FEE_UNPAID' })
})

test('in mode fase1 a listing counts an order once its worker was paid', async () => {
  await using stage = await openStage('fase1')
  const listing = await stage.market.postListing(worker, {
    title: 'I translate menus',
    description: 'Any menu of up to four pages.',
    category: 'simple_action',
    unitPriceUsd: '10',
    skills: [],
    evidence: ['text_response'],
    network: null,
    acceptedNetworks: null,
  })
  const ordersCount = async (): Promise<number> => (await stage.market.readListing(listing.id)).ordersCount
  const order = await stage.market.orderListing(publisher, listing.id, {
    instructions: null,
    deadlineHours: 24,
    bountyUsd: null,
    network: null,
    paymentAuth: null,
  })
  const job = { taskId: order.task.id, executorId: listing.sellerExecutorId, paymentAuth: null }
  await assignJob(stage, job)
  expect(await ordersCount()).toBe(0)
  const { submission } = await stage.market.submit(worker, job.taskId, {
    executorId: null,
    evidence: { text_response: 'Done.' },
    notes: null,
    deviceMetadata: null,
  })
  await stage.market.approve(publisher, submission.id, await approval(stage, submission.id))
  expect(await ordersCount()).toBe(1)
})

test('an order of a service is a publication too', async () => {
  await using stage = await openStage('fase1')
  const listing = await stage.market.postListing(worker, {
    title: 'I translate menus',
    description: 'Any menu of up to four pages.',
    category: 'simple_action',
    unitPriceUsd: '1',
    skills: [],
    evidence: ['text_response'],
    network: null,
    acceptedNetworks: null,
  })
  await withoutFee(stage)
  await expect(
    stage.market.orderListing(publisher, listing.id, {
      instructions: null,
      deadlineHours: 24,
      bountyUsd: null,
      network: null,
      paymentAuth: null,
    }),
  ).rejects.toMatchObject({ code: 'FEE_UNPAID' })
})

test('fase2 asks for no fee of its own', async () => {
  await using stage = await openStage()
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  await assignJob(stage, await again(stage))
  await expect(createMarket(stage.deps).feeChallenge(publisher, job.taskId)).rejects.toMatchObject({
    code: 'FEE_NOT_OWED',
  })
})
