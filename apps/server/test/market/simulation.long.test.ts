import type { Fault } from '@ergon/core/testing'
import type { PaymentMode } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
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
import { runUntilStopped, stopEverywhere } from './until-stopped.ts'

/**
 * The process stops at its n-th await and never comes back; another one finds what it left. Whatever n is: nobody is
 * paid twice, the ledger says what the chain says, nothing stays in flight, and the caller may simply ask again.
 */

describe.each(['fase1', 'fase2', 'fase5'] as const satisfies readonly PaymentMode[])('mode %s', (mode) => {
  test('assign survives a stop at every await: what is locked is accepted, what is not is published, and asking again works', async () => {
    await using stage = await openStage(mode)
    const stops = await stopEverywhere(stage, async (stopAt) => {
      const job = await appliedJob(stage)
      const before = stage.chain.balance(publisher.wallet)
      const { finished, refusal } = await runUntilStopped(stage, stopAt, (market) => assignJob({ market }, job))
      expect(refusal).toBeNull()
      await untilQuiet(stage)
      const locked = before - stage.chain.balance(publisher.wallet)
      const { status } = await stage.market.readTask(publisher, job.taskId)
      if (mode !== 'fase1')
        expect([status, locked]).toEqual(status === 'accepted' ? ['accepted', 10_000_000n] : ['published', 0n])
      if (status === 'published') expect((await assignJob(stage, job)).state).toBe('accepted')
      return finished
    })
    expect(stops).toBeGreaterThan(10)
  })

  test('approve survives a stop at every await: the worker is paid exactly once', { timeout: 180_000 }, async () => {
    await using stage = await openStage(mode)
    const stops = await stopEverywhere(stage, async (stopAt) => {
      const job = await submittedJob(stage)
      const input = await approval(stage, job.submissionId)
      const before = { worker: stage.chain.balance(worker.wallet), treasury: stage.chain.balance('treasury') }
      const { finished } = await runUntilStopped(stage, stopAt, (market) =>
        market.approve(publisher, job.submissionId, { ...input, rating: 90 }),
      )
      await untilQuiet(stage)
      const paid = stage.chain.balance(worker.wallet) - before.worker
      const { status } = await stage.market.readTask(publisher, job.taskId)
      expect([status, paid]).toEqual(status === 'completed' ? ['completed', 8_700_000n] : ['verifying', 0n])
      if (status === 'verifying')
        await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
      await untilQuiet(stage)
      expect(stage.chain.balance(worker.wallet) - before.worker).toBe(8_700_000n)
      expect(stage.chain.balance('treasury') - before.treasury).toBe(1_300_000n)
      return finished
    })
    expect(stops).toBeGreaterThan(20)
  })
})

test(
  'a split survives a stop at every await: both shares move once, or the dispute is open again',
  { timeout: 180_000 },
  async () => {
    await using stage = await openStage('fase2')
    const stops = await stopEverywhere(stage, async (stopAt) => {
      const { id, taskId } = await disputedJob(stage)
      const before = { worker: stage.chain.balance(worker.wallet), payer: stage.chain.balance(publisher.wallet) }
      const { finished } = await runUntilStopped(stage, stopAt, (market) => market.resolveDispute(admin, id, halves))
      await untilQuiet(stage)
      const { status } = await stage.market.readTask(publisher, taskId)
      const dispute = await stage.market.readDispute(worker, id)
      const moved = [
        stage.chain.balance(worker.wallet) - before.worker,
        stage.chain.balance(publisher.wallet) - before.payer,
      ]
      expect([status, dispute.status, ...moved]).toEqual(
        status === 'completed' ? ['completed', 'resolved', 4_350_000n, 5_000_000n] : ['disputed', 'open', 0n, 0n],
      )
      if (status === 'disputed') expect((await stage.market.resolveDispute(admin, id, halves)).state).toBe('resolved')
      await untilQuiet(stage)
      return finished
    })
    expect(stops).toBeGreaterThan(20)
  },
)

test.each(['fase1', 'fase2'] as const)(
  'stepping down in %s survives a stop at every await: the money is back and the task open, or nothing has changed',
  { timeout: 180_000 },
  async (mode) => {
    await using stage = await openStage(mode)
    const stops = await stopEverywhere(stage, async (stopAt) => {
      const job = await appliedJob(stage)
      const before = stage.chain.balance(publisher.wallet)
      await assignJob(stage, job)
      const { finished } = await runUntilStopped(stage, stopAt, (market) => market.withdraw(worker, job.taskId, null))
      await untilQuiet(stage)
      const { status } = await stage.market.readTask(publisher, job.taskId)
      if (status !== 'published')
        expect((await stage.market.withdraw(worker, job.taskId, null)).status).toBe('published')
      expect(stage.chain.balance(publisher.wallet)).toBe(before)
      return finished
    })
    expect(stops).toBeGreaterThan(5)
  },
)

const admin = { kind: 'anonymous' } as const
const halves = { verdict: 'split', splitPct: 50, reason: 'Half of it is there.' } as const

async function disputedJob(stage: Stage) {
  const { submissionId } = await submittedJob(stage)
  return stage.market.openDispute(worker, submissionId, { reason: 'other', description: 'We do not agree.' })
}

/** A small generator with a seed (mulberry32), so that a failing run can be run again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A fee whose authorization ran out before it landed is owed, and nothing is published before it is paid. */
async function payOwed(stage: Stage): Promise<void> {
  const owed = await stage.store.feeOwedBy(publisher.wallet)
  if (owed === null) return
  const { auth } = await stage.market.feeChallenge(publisher, owed.taskId)
  await stage.market.payFee(publisher, owed.taskId, JSON.stringify(auth?.envelope))
}

const sendFaults: readonly [Fault, ...Fault[]] = ['none', 'none', 'refused', 'lost before', 'lost after', 'unavailable']

test.each(Array.from({ length: 24 }, (_, index) => index + 1))(
  'seed %i: stops, refusals, lost answers and a chain nobody can read, in any order, and the money is right',
  async (seed) => {
    const random = generator(seed)
    const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
    await using stage = await openStage(pick(['fase1', 'fase2', 'fase5'] as const))
    const total = stage.chain.balance(publisher.wallet)
    const faulty = (): void => {
      stage.chain.fault = (method) => {
        if (method === 'send') return pick(sendFaults)
        if (method === 'sweep') return pick(['none', 'lost after', 'lost before', 'unavailable'] as const)
        return random() < 0.2 ? 'unreadable' : 'none'
      }
    }
    for (let round = 0; round < 4; round += 1) {
      stage.chain.fault = () => 'none'
      await payOwed(stage)
      const job = await appliedJob(stage)
      faulty()
      await runUntilStopped(stage, 1 + Math.floor(random() * 90), (market) => assignJob({ market }, job))
      for (let step = 0; step < 4; step += 1) {
        stage.clock.advance(Math.floor(random() * 60_000))
        await runUntilStopped(stage, 1 + Math.floor(random() * 120), (market) => market.duties.reconcile())
      }
      stage.chain.fault = () => 'none'
      await untilQuiet(stage)
      if ((await stage.market.readTask(publisher, job.taskId)).status === 'published') await assignJob(stage, job)
      if (random() < 0.3) {
        faulty()
        await runUntilStopped(stage, 1 + Math.floor(random() * 80), (market) =>
          market.withdraw(worker, job.taskId, null),
        )
        stage.chain.fault = () => 'none'
        await untilQuiet(stage)
        if ((await stage.market.readTask(publisher, job.taskId)).status === 'published') continue
      }
      const { submission } = await stage.market.submit(worker, job.taskId, {
        executorId: null,
        evidence: { text_response: 'done' },
        notes: null,
        deviceMetadata: null,
      })
      const input = await approval(stage, submission.id)
      faulty()
      await runUntilStopped(stage, 1 + Math.floor(random() * 120), (market) =>
        market.approve(publisher, submission.id, input),
      )
      await runUntilStopped(stage, 1 + Math.floor(random() * 120), (market) => market.duties.reconcile())
      await runUntilStopped(stage, 1 + Math.floor(random() * 60), (market) => market.duties.disburseFees())
      if (random() < 0.5)
        await runUntilStopped(stage, 1 + Math.floor(random() * 60), (market) =>
          market.cancel(publisher, job.taskId, null),
        )
      if (random() < 0.5) {
        await stage.market
          .openDispute(worker, submission.id, { reason: 'other', description: 'We do not agree.' })
          .catch(() => null)
        const dispute = await stage.store.disputeOf(submission.id)
        const verdict = pick(['release', 'refund', 'split'] as const)
        if (dispute !== null)
          await runUntilStopped(stage, 1 + Math.floor(random() * 120), (market) =>
            market.resolveDispute(admin, dispute.id, {
              verdict,
              splitPct: verdict === 'split' ? 1 + Math.floor(random() * 99) : null,
              reason: 'As it was seen.',
            }),
          )
        await runUntilStopped(stage, 1 + Math.floor(random() * 120), (market) => market.duties.reconcile())
      }
      if (random() < 0.3) stage.clock.advance(25 * 3_600_000)
      await runUntilStopped(stage, 1 + Math.floor(random() * 60), (market) => market.duties.expire())
      stage.chain.fault = () => 'none'
      await untilQuiet(stage)
      const { status, escrowStatus } = await stage.market.readTask(publisher, job.taskId)
      expect([
        'verifying/authorized',
        'verifying/none',
        'completed/released',
        'completed/none',
        'expired/refunded',
        'expired/none',
        'disputed/authorized',
        'disputed/none',
        'cancelled/refunded',
        'cancelled/none',
      ]).toContain(`${status}/${escrowStatus}`)
    }
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect(await findings(stage)).toEqual([])
    const keys = stage.chain.landings.map((one) =>
      one.order.kind === 'charge' ? one.order.transfer.nonce : `${one.order.kind}:${one.order.payment.hash}`,
    )
    expect(new Set(keys).size, 'nothing lands twice').toBe(keys.length)
    const held = stage.chain.landings
      .flatMap((one) => (one.order.kind === 'authorize' ? [stage.chain.capturable(one.order.payment.hash)] : []))
      .reduce((sum, one) => sum + one, 0n)
    expect(
      stage.chain.balance(publisher.wallet) +
        stage.chain.balance(worker.wallet) +
        stage.chain.balance('operator') +
        stage.chain.balance('treasury') +
        held,
    ).toBe(total)
  },
)
