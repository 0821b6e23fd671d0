import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requiredChecksPassed } from '@ergon/core'
import { accept, offer, rule } from './settle-stage.ts'
import {
  appliedJob,
  approval,
  arbiter,
  assignJob,
  openStage,
  publisher,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

/**
 * Silence as an actor (decisions 0157, 0158): whatever both sides do or leave, in any order and at any time, delivered
 * work whose required checks passed never ends refunded without a ruling or the worker's own act, and nothing is held
 * past the end of the authorization.
 */
let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

const hourMs = 3_600_000
const acts = [
  'approve',
  'reject',
  'ask',
  'hand in',
  'dispute',
  'publisher offers',
  'worker offers',
  'publisher accepts',
  'worker accepts',
  'refuse',
  'rule for the worker',
  'rule a split',
  'appeal',
  'verify',
  'wait 1',
  'wait 9',
  'wait 40',
  'round',
] as const
type Act = (typeof acts)[number]

const policies = fc.record({
  reviewHours: fc.integer({ min: 1, max: 30 }),
  disputeHours: fc.integer({ min: 24, max: 60 }),
  onSilence: fc.constantFrom('release', 'dispute'),
  revisionsMost: fc.integer({ min: 0, max: 2 }),
})

async function rounds(): Promise<void> {
  const { duties } = stage.market
  for (const duty of [duties.expire, duties.runTimers, duties.reconcile, duties.runTimers]) await duty()
}

async function wait(hours: number): Promise<void> {
  stage.clock.advance(hours * hourMs)
  await rounds()
}

const pendingOf = async (taskId: string) =>
  (await stage.store.submissions(taskId)).find(({ status }) => status === 'pending_review')?.id ?? ''

const openOf = async (taskId: string, side: 'publisher' | 'worker') =>
  (await stage.market.offers(publisher, taskId)).find((one) => one.status === 'open' && one.side === side)?.id ?? ''

const disputeOf = async (taskId: string) =>
  (await stage.market.disputes(publisher, { status: null, taskId }, { limit: 1, offset: 0, cursor: null })).rows[0]
    ?.id ?? ''

async function play(act: Act, taskId: string): Promise<unknown> {
  const { market } = stage
  switch (act) {
    case 'approve': {
      const id = await pendingOf(taskId)
      return market.approve(publisher, id, await approval(stage, id))
    }
    case 'reject':
      return market.reject(publisher, await pendingOf(taskId), { reason: 'No.', criteria: [] })
    case 'ask':
      return market.requestChanges(publisher, await pendingOf(taskId), 'Closer.')
    case 'dispute':
      return market.openDispute(worker, await pendingOf(taskId), { reason: 'other', description: 'We do not agree.' })
    case 'hand in':
      return market.submit(worker, taskId, {
        executorId: null,
        evidence: { text_response: 'It is open.' },
        notes: null,
        deviceMetadata: null,
      })
    case 'publisher offers':
      return offer(stage, publisher, taskId, '4')
    case 'worker offers':
      return offer(stage, worker, taskId, '6')
    case 'publisher accepts':
      return accept(stage, publisher, await openOf(taskId, 'worker'))
    case 'worker accepts':
      return accept(stage, worker, await openOf(taskId, 'publisher'))
    case 'refuse':
      return market.closeOffer(publisher, await openOf(taskId, 'worker'))
    case 'rule for the worker':
      return rule(stage, arbiter, await disputeOf(taskId), { verdict: 'release', splitPct: null })
    case 'rule a split':
      return rule(stage, arbiter, await disputeOf(taskId), { verdict: 'split', splitPct: 40 })
    case 'appeal':
      return market.appeal(publisher, await disputeOf(taskId), 'It is not what was asked for.')
    case 'verify':
      return market.duties.verify()
    case 'wait 1':
      return wait(1)
    case 'wait 9':
      return wait(9)
    case 'wait 40':
      return wait(40)
    case 'round':
      return rounds()
  }
}

test('delivered work whose checks passed is never refunded in silence, and no money is held for ever', async () => {
  await fc.assert(
    fc.asyncProperty(
      policies,
      fc.boolean(),
      fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 14 }),
      async (policy, consents, trace) => {
        const job = await appliedJob(stage, worker, '10', policy)
        const { hash } = JSON.parse(job.paymentAuth ?? '{}') as { readonly hash: string }
        const consent =
          consents && policy.onSilence === 'release' ? { standingOrder: JSON.stringify({ payment: hash }) } : {}
        await assignJob(stage, { ...job, ...consent })
        // What the market refuses at this moment is no step of the trace.
        for (const act of trace) await play(act, job.taskId).catch(() => undefined)
        const expiry = (await stage.store.escrowPayment(job.taskId))?.authorizationExpiry ?? 0
        while (stage.clock.now().getTime() < expiry * 1_000) await wait(7)
        await untilQuiet(stage)
        const task = await stage.store.task(job.taskId)
        const delivered = await stage.store.submissions(job.taskId)
        const last = delivered[0]
        const isProven = last !== undefined && requiredChecksPassed(last)
        expect(stage.chain.capturable(hash)).toBe(0n)
        // Called off before anything was handed in, by both: paid for the way.
        const isCalledOff = delivered.length === 0 && task?.status === 'cancelled'
        if (!isCalledOff) expect(['completed', 'expired']).toContain(task?.status)
        if (isProven) expect([task?.status, task?.escrowStatus]).toEqual(['completed', 'released'])
      },
    ),
    { numRuns: 40 },
  )
})
