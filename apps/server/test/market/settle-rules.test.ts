import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PolicyInput } from '@ergon/core'
import { plainSignature } from '@ergon/core/testing'
import { accept, offer, refusedWith, rule } from './settle-stage.ts'
import { appliedJob, arbiter, assignJob, openStage, publisher, submittedJob, untilQuiet, worker } from './stage.ts'
import type { Stage } from './stage.ts'

/** What an offer, a ruling and an appeal are refused for, each where no other rule refuses it (0167, 0168). */
const hourMs = 3_600_000
const release = { verdict: 'release', splitPct: null } as const
const other = { ...arbiter, wallet: '0x7777777777777777777777777777777777777777', agentId: 7 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function rejectedJob(at: Stage = stage, policy: PolicyInput | null = { disputeHours: 48 }) {
  const job = await submittedJob(at, policy ?? undefined)
  await at.market.duties.verify()
  const { dispute } = await at.market.reject(publisher, job.submissionId, { reason: 'Too dark.', criteria: [] })
  return { ...job, disputeId: dispute.id }
}

const ruling = async (disputeId: string) => {
  const said = { ...release, reason: 'By what was asked for.', criteria: ['The gate is on it.'] }
  const { nonce, deadline } = await stage.market.rulingChallenge(arbiter, disputeId, said)
  return { ...said, nonce, deadline, signature: plainSignature(arbiter.wallet, nonce) }
}

test('a ruling that its arbiter did not sign is refused', async () => {
  const { disputeId } = await rejectedJob()
  const said = await ruling(disputeId)
  const signature = plainSignature(worker.wallet, said.nonce)
  await expect(stage.market.rule(arbiter, disputeId, { ...said, signature })).rejects.toEqual(
    refusedWith('INVALID_SIGNATURE', { network: expect.any(String), required_usdc: 10 }),
  )
  await expect(stage.market.readRuling(worker, disputeId)).rejects.toEqual(refusedWith('RULING_NOT_FOUND'))
})

test.each([
  ['has passed', 0],
  ['is more than an hour away', hourMs + 1],
])('a ruling whose deadline %s is refused', async (_says, ms) => {
  const { disputeId } = await rejectedJob()
  const said = await ruling(disputeId)
  const deadline = new Date(stage.clock.now().getTime() + ms)
  await expect(stage.market.rule(arbiter, disputeId, { ...said, deadline })).rejects.toEqual(
    refusedWith('VALIDATION_FAILED', { field: 'deadline' }),
  )
})

test('a ruling withdraws the offers of both sides', async () => {
  const { taskId, disputeId } = await rejectedJob()
  const open = [await offer(stage, worker, taskId, '4'), await offer(stage, publisher, taskId, '3')]
  await rule(stage, arbiter, disputeId, release)
  const offers = await stage.market.offers(worker, taskId)
  expect(open.map(({ id }) => offers.find((one) => one.id === id)?.status)).toEqual(['withdrawn', 'withdrawn'])
})

test('an appeal after its day is refused, though the ruling is not carried out yet', async () => {
  const { disputeId } = await rejectedJob()
  const { appealUntil } = await rule(stage, arbiter, disputeId, release)
  stage.clock.advance(appealUntil.getTime() - stage.clock.now().getTime())
  await expect(stage.market.appeal(publisher, disputeId, 'Too late.')).rejects.toEqual(
    refusedWith('DISPUTE_NOT_OPEN', { ruling_status: 'standing' }),
  )
})

test.each([
  ['with a policy', { disputeHours: 48 }],
  ['without one', null],
])('a ruling whose timer is late is carried out at the deadline, %s, and nothing expires', async (_says, policy) => {
  await using alone = await openStage('fase2')
  const before = alone.chain.balance(worker.wallet)
  const { taskId, submissionId, disputeId } = await rejectedJob(alone, policy)
  await alone.pool.query(`update submissions set checks = jsonb_set(checks, '{0,result}', '"failed"') where id = $1`, [
    submissionId,
  ])
  await rule(alone, arbiter, disputeId, release)
  await alone.pool.query("delete from task_timers where task_id = $1 and kind = 'ruling_end'", [taskId])
  const { deadline } = await alone.market.readTask(publisher, taskId)
  alone.clock.advance(deadline.getTime() - alone.clock.now().getTime() + 1)
  await alone.market.duties.expire()
  await alone.market.duties.runTimers()
  await untilQuiet(alone)
  expect((await alone.store.task(taskId))?.status).toBe('completed')
  expect(alone.chain.balance(worker.wallet) - before).toBe(8_700_000n)
})

test('a ruling that was refused as it was carried out is carried out past the deadline, and nothing expires', async () => {
  await using alone = await openStage('fase2')
  const before = alone.chain.balance(worker.wallet)
  const { taskId, disputeId } = await rejectedJob(alone, null)
  const { appealUntil } = await rule(alone, arbiter, disputeId, release)
  alone.clock.advance(appealUntil.getTime() - alone.clock.now().getTime())
  alone.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
  await alone.market.duties.runTimers()
  alone.chain.fault = () => 'none'
  expect((await alone.store.task(taskId))?.turn).toEqual({ kind: 'ruling', untilMs: appealUntil.getTime() })
  const { deadline } = await alone.market.readTask(publisher, taskId)
  alone.clock.advance(deadline.getTime() - alone.clock.now().getTime() + 1)
  await alone.market.duties.expire()
  await alone.market.duties.runTimers()
  await untilQuiet(alone)
  expect((await alone.store.task(taskId))?.status).toBe('completed')
  expect(alone.chain.balance(worker.wallet) - before).toBe(8_700_000n)
})

test('an offer of a worker who stepped down does not end the job of the next', async () => {
  await using direct = await openStage('fase1')
  const job = await appliedJob(direct)
  await assignJob(direct, job)
  const { id } = await offer(direct, worker, job.taskId, '0')
  await direct.market.withdraw(worker, job.taskId, null)
  await direct.market.ensureIdentity(other.wallet)
  const { executorId } = await direct.market.apply(other, job.taskId, { executorId: null, message: null })
  await assignJob(direct, { taskId: job.taskId, executorId, paymentAuth: null })
  await expect(accept(direct, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN', { status: 'withdrawn' }))
  expect((await direct.store.task(job.taskId))?.status).toBe('accepted')
})
