import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  findings,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

/** Blocks that are undone for good, and what becomes of the money that was said to have moved (decision 0122). */

const minute = 60_000
const whole = 10_000_000n
const payoutOf = (atomic: bigint): bigint => atomic - (atomic * 1_300n) / 10_000n

let stage: Stage
beforeEach(async () => {
  stage = await openStage('fase2')
  stage.chain.now = () => stage.clock.now()
  await stage.market.duties.followChains()
})
afterEach(() => stage[Symbol.asyncDispose]())

async function followed(): Promise<void> {
  while ((await stage.market.duties.followChains()) > 0);
  await untilQuiet(stage)
}

/** Blocks and minutes go by, until what is missing is lost. */
async function later(each: () => Promise<unknown> = followed): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    for (let blocks = 0; blocks < 3; blocks += 1) stage.chain.sweepOtherwise()
    stage.clock.advance(minute)
    await each()
  }
}

const balances = (): readonly bigint[] => [worker, publisher].map(({ wallet }) => stage.chain.balance(wallet))
const gainedSince = (before: readonly bigint[]): readonly bigint[] =>
  balances().map((now, index) => now - (before[index] ?? 0n))

async function stateOf(taskId: string): Promise<string> {
  const { status, escrowStatus } = await stage.market.readTask(publisher, taskId)
  return `${status}/${escrowStatus}`
}

async function assigned() {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  return { ...job, hash: (await stage.store.escrowPayment(job.taskId))?.hash ?? '' }
}

async function submitted() {
  const job = await submittedJob(stage)
  return { ...job, hash: (await stage.store.escrowPayment(job.taskId))?.hash ?? '' }
}

const landed = (hash: string, kind: string): string =>
  stage.chain.movements.findLast((one) => one.hash === hash && one.kind === kind)?.txHash ?? ''

/** Nothing is held for anybody, the books agree with the chain, and no person has to look. */
async function expectWhole(hash: string): Promise<void> {
  expect(stage.chain.capturable(hash)).toBe(0n)
  expect(await ledgerDisagreements(stage)).toEqual([])
  expect(await findings(stage)).toEqual([])
}

describe('a payment that was undone is made again', () => {
  test('a release: the worker is paid once, and the task names the payment that stayed', async () => {
    const before = balances()
    const job = await submitted()
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await followed()
    stage.chain.undo(landed(job.hash, 'captured'))
    expect(gainedSince(before)[0]).toBe(0n)
    await later()
    expect(gainedSince(before)).toEqual([payoutOf(whole), -whole])
    expect((await stage.market.readTask(publisher, job.taskId)).paymentTx).toBe(landed(job.hash, 'captured'))
    expect(await stateOf(job.taskId)).toBe('completed/released')
    await expectWhole(job.hash)
  })

  test('a release whose fee was swept: the fee is named by what moved it behind the payment that stayed', async () => {
    const job = await submitted()
    const feeTx = async () => (await stage.store.task(job.taskId))?.feeTx
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await followed()
    const before = await feeTx()
    stage.chain.undo(landed(job.hash, 'captured'))
    await later()
    await later()
    expect(before).toMatch(/^0x/)
    expect(await feeTx()).toMatch(/^0x/)
    expect(await feeTx()).not.toBe(before)
    await expectWhole(job.hash)
  })

  test('a release that was mined again: its fee is named by what was swept behind the block where it is now', async () => {
    const job = await submitted()
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    const owed = async () =>
      (await stage.store.owedFees('localnet', 10)).find(({ taskId }) => taskId === job.taskId)?.captured
    const first = await owed()
    await stage.pool.query(
      "update movements set block_number = block_number + 5, log_index = 9 where kind = 'captured'",
    )
    expect(await owed()).toEqual({ blockNumber: (first?.blockNumber ?? 0n) + 5n, logIndex: 9 })
  })

  test('a release whose authorization runs out meanwhile: what is held goes back to its payer', async () => {
    const before = balances()
    const job = await submitted()
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await followed()
    stage.chain.undo(landed(job.hash, 'captured'))
    stage.chain.fault = (method, order) => (method === 'send' && order?.kind === 'capture' ? 'lost before' : 'none')
    await later(() => stage.market.duties.followChains())
    const payment = await stage.store.escrowPayment(job.taskId)
    stage.clock.advance((payment?.authorizationExpiry ?? 0) * 1_000 - stage.clock.now().getTime() + 10 * minute)
    await untilQuiet(stage)
    await followed()
    expect(gainedSince(before)).toEqual([0n, 0n])
    await expectWhole(job.hash)
  })

  test('both moves of a split: the worker has the share before the rest goes back', async () => {
    const before = balances()
    const job = await submitted()
    const dispute = await stage.market.openDispute(worker, job.submissionId, { reason: 'other', description: 'No.' })
    const verdict = { verdict: 'split', splitPct: 60, reason: 'As it was seen.' } as const
    await stage.market.resolveDispute({ kind: 'anonymous' }, dispute.id, verdict)
    await followed()
    expect(await stateOf(job.taskId)).toBe('completed/released')
    const [share, rest] = [landed(job.hash, 'captured'), landed(job.hash, 'voided')]
    stage.chain.undo(rest)
    stage.chain.undo(share)
    stage.chain.fault = (method, order) => (method === 'send' && order?.kind === 'capture' ? 'lost before' : 'none')
    await later(() => stage.market.duties.followChains())
    expect(gainedSince(before)).toEqual([0n, -whole])
    stage.chain.fault = () => 'none'
    await later()
    await later()
    expect(gainedSince(before)).toEqual([payoutOf(4_000_000n), -4_000_000n])
    await expectWhole(job.hash)
  })

  test('a refund', async () => {
    const before = balances()
    const job = await assigned()
    await stage.market.cancel(publisher, job.taskId, null)
    await followed()
    stage.chain.undo(landed(job.hash, 'voided'))
    await later()
    expect(gainedSince(before)).toEqual([0n, 0n])
    await expectWhole(job.hash)
  })
})

describe('a lock that was undone', () => {
  test('is given up; the task can be cancelled, and names no refund', async () => {
    const job = await assigned()
    await followed()
    stage.chain.undo(landed(job.hash, 'authorized'))
    await later()
    expect(await stateOf(job.taskId)).toBe('accepted/refunded')
    expect(await stage.market.cancel(publisher, job.taskId, null)).toMatchObject({ state: 'cancelled', refundTx: null })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('and lands after all: what it holds goes back', async () => {
    const before = balances()
    const job = await assigned()
    await followed()
    stage.chain.undo(landed(job.hash, 'authorized'))
    await later()
    stage.chain.authorize({ hash: job.hash, payer: publisher.wallet, receiver: worker.wallet }, whole)
    expect(gainedSince(before)).toEqual([0n, -whole])
    await later()
    expect(gainedSince(before)).toEqual([0n, 0n])
    expect([stage.chain.capturable(job.hash), await ledgerDisagreements(stage)]).toEqual([0n, []])
  })

  test('and comes back whole where a part was approved meanwhile: all of it is the worker\u2019s', async () => {
    const before = balances()
    const job = await submitted()
    const payer = { hash: job.hash, payer: publisher.wallet, receiver: worker.wallet }
    const first = landed(job.hash, 'authorized')
    stage.chain.undo(first)
    stage.chain.authorize(payer, 4_000_000n)
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    const [part, payout] = [landed(job.hash, 'authorized'), landed(job.hash, 'captured')]
    stage.chain.undo(payout)
    stage.chain.undo(part)
    stage.chain.authorize(payer, whole)
    stage.chain.capture(job.hash, 4_000_000n)
    await later()
    await later()
    expect(stage.chain.capturable(job.hash)).toBe(0n)
    expect(gainedSince(before)).toEqual([payoutOf(4_000_000n) + payoutOf(6_000_000n), -whole])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

test('a signature that its payer locked and paid out past us assigns nobody', async () => {
  const job = await appliedJob(stage)
  const before = stage.chain.movements.length
  stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
  await expect(assignJob(stage, job)).rejects.toMatchObject({ code: 'LOCK_REVERTED' })
  stage.chain.fault = () => 'none'
  const { rows } = await stage.pool.query<{ hash: string }>(
    "select order_json->'payment'->>'hash' as hash from settlements where task_id = $1",
    [job.taskId],
  )
  const hash = rows[0]?.hash ?? ''
  stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, whole)
  stage.chain.capture(hash, whole)
  await expect(assignJob(stage, job)).rejects.toMatchObject({ code: 'LOCK_REVERTED' })
  expect(stage.chain.movements).toHaveLength(before + 2)
  expect(await stateOf(job.taskId)).toBe('published/pending_assignment')
})
