import type { Payment } from '@ergon/core'
import { expect, test } from 'vitest'
import {
  appliedJob,
  assignJob,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  worker,
} from './stage.ts'

/** A lock that a restored database lost is booked for its task, or is for a person (decision 0115). */

async function follow(stage: Stage, lostLocks: 'report' | 'book' = 'book'): Promise<void> {
  for (let rounds = 0; (await stage.market.duties.followChains(lostLocks)) > 0; rounds += 1)
    if (rounds > 20) throw new Error('the chain is never caught up with')
}

const findings = async (stage: Stage) =>
  (await stage.market.unresolvedFindings(20)).map(({ kind, taskId, subject }) => ({ kind, taskId, subject }))

/** The facilitator carried it out, and no row names it. */
async function lost(change: Partial<Payment> = {}, isOurs = true) {
  const stage = await openStage()
  stage.chain.now = () => stage.clock.now()
  await stage.market.duties.followChains()
  stage.chain.sentByFacilitator = () => isOurs
  const job = await appliedJob(stage)
  const { bounty, deadline } = (await stage.store.task(job.taskId)) ?? expect.unreachable()
  const terms = { taskId: job.taskId, network: 'localnet', payer: publisher.wallet, receiver: worker.wallet }
  const { payment, authorization } = await stage.deps.signatures.readEscrowAuthorization(
    job.paymentAuth ?? '',
    { ...terms, amount: bounty, deadline, boundUntil: null, silentAfterHours: null },
    stage.clock.now(),
  )
  const order = { kind: 'authorize', key: 'lost', payment: { ...payment, ...change }, authorization } as const
  const sent = await stage.chain.rail.send(order, 1_000, new Date(stage.clock.now().getTime() + 30_000))
  expect(sent.outcome).toBe('settled')
  return { stage, job, payment }
}
const statusOf = async (stage: Stage, taskId: string) => (await stage.market.readTask(publisher, taskId)).status

test('a lost lock assigns its task again, and nobody locks a second time', async () => {
  const { stage, job } = await lost()
  await using _stage = stage
  await follow(stage)
  expect([await statusOf(stage, job.taskId), await ledgerDisagreements(stage)]).toEqual(['accepted', []])
  await expect(assignJob(stage, job)).rejects.toMatchObject({ code: 'TASK_NOT_ASSIGNABLE' })
  await follow(stage)
  expect([await findings(stage), stage.chain.landings.length]).toEqual([[], 1])
})

test('without a restore, a lock that its payer had carried out past us assigns nobody and is reported', async () => {
  const { stage, job } = await lost()
  await using _stage = stage
  await follow(stage, 'report')
  expect(await statusOf(stage, job.taskId)).toBe('published')
  expect(await findings(stage)).toMatchObject([{ kind: 'unclaimed' }])
})

test('a lost lock that was paid out since is booked with what was paid', async () => {
  const { stage, job, payment } = await lost()
  await using _stage = stage
  stage.chain.payOut(payment.hash)
  await follow(stage)
  expect([await statusOf(stage, job.taskId), await ledgerDisagreements(stage)]).toEqual(['accepted', []])
  const events = await paymentEventsOf(stage, job.taskId)
  expect(events.map(({ type }) => type)).toContain('disburse_worker')
})

test('a lost lock that went back since leaves the task open', async () => {
  const { stage, job, payment } = await lost()
  await using _stage = stage
  stage.chain.reclaim(payment.hash)
  await follow(stage)
  expect([await statusOf(stage, job.taskId), await findings(stage)]).toEqual(['published', []])
})

test('a lock for a task of ours is another user’s when another one sent it', async () => {
  const { stage, job } = await lost({}, false)
  await using _stage = stage
  await follow(stage)
  expect([await statusOf(stage, job.taskId), await findings(stage)]).toEqual(['published', []])
})

test.each<[string, Partial<Payment>]>([
  ['another amount', { maxAmount: 9_000_000n }],
  ['the publisher as the worker', { receiver: publisher.wallet }],
  ['an end before the deadline', { authorizationExpiry: 1 }],
])('a lost lock on terms nobody would be assigned on is for a person: %s', async (_what, change) => {
  const { stage, job, payment } = await lost(change)
  await using _stage = stage
  await follow(stage)
  expect(await statusOf(stage, job.taskId)).toBe('published')
  expect(await findings(stage)).toEqual([{ kind: 'unclaimed', taskId: job.taskId, subject: payment.hash }])
})

test('a lost lock for a task that has another payment by now is for a person', async () => {
  const { stage, job, payment } = await lost()
  await using _stage = stage
  const challenge = await stage.market.assignChallenge(publisher, job.taskId, job.executorId)
  await assignJob(stage, { ...job, paymentAuth: JSON.stringify(challenge.envelope) })
  await follow(stage)
  expect(await findings(stage)).toEqual([{ kind: 'unclaimed', taskId: job.taskId, subject: payment.hash }])
})
