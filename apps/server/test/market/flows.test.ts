import type { PaymentMode } from '@ergon/contract'
import { createMarket, MarketError } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { refusedWith } from './refused-with.ts'

describe.each(['fase1', 'fase2', 'fase5'] as const satisfies readonly PaymentMode[])(
  'the main job in mode %s',
  (mode) => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(mode)
    })
    afterAll(() => stage[Symbol.asyncDispose]())

    test('the worker receives 87 % and the treasury 13 %, the ledger agrees with the chain, and every step is in the audit log', async () => {
      const before = {
        worker: stage.chain.balance(worker.wallet),
        treasury: stage.chain.balance('treasury'),
        payer: stage.chain.balance(publisher.wallet),
      }
      const job = await submittedJob(stage)
      const outcome = await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
      expect(outcome.state).toBe('approved')
      await untilQuiet(stage)
      expect(stage.chain.balance(worker.wallet) - before.worker).toBe(8_700_000n)
      expect(stage.chain.balance('treasury') - before.treasury).toBe(1_300_000n)
      expect(stage.chain.balance(publisher.wallet) - before.payer).toBe(-10_000_000n)
      expect(await ledgerDisagreements(stage)).toEqual([])
      const task = await stage.market.readTask(publisher, job.taskId)
      expect(task).toMatchObject({ status: 'completed', paymentTx: outcome.paymentTx })
      const events = await paymentEventsOf(stage, job.taskId)
      const expected = {
        fase1: ['settle', 'disburse_worker', 'disburse_fee'],
        fase2: ['verify', 'store_auth', 'settle', 'settle', 'disburse_worker', 'disburse_fee'],
        fase5: ['store_auth', 'settle', 'settle', 'disburse_worker', 'disburse_fee'],
      }
      expect(events.map((event) => event.type)).toEqual(expected[mode])
      expect(events.filter((event) => event.type.startsWith('disburse')).every((event) => event.txHash !== null)).toBe(
        true,
      )
      expect(task.executorReputation?.tasksCompleted).toBeGreaterThan(0)
    })

    test('approving twice pays once', async () => {
      const job = await submittedJob(stage)
      const first = await approval(stage, job.submissionId)
      await stage.market.approve(publisher, job.submissionId, first)
      await expect(stage.market.approve(publisher, job.submissionId, first)).rejects.toThrow(
        refusedWith(mode === 'fase1' ? 'SUBMISSION_NOT_REVIEWABLE' : 'ESCROW_NOT_RELEASABLE'),
      )
    })

    test('approve while the chain is away gives the verdict back: the submission stays approvable', async () => {
      const job = await submittedJob(stage)
      const input = await approval(stage, job.submissionId)
      stage.chain.fault = () => 'unavailable'
      await expect(stage.market.approve(publisher, job.submissionId, input)).rejects.toThrow(
        refusedWith('SETTLEMENT_FAILED'),
      )
      stage.chain.fault = () => 'none'
      expect((await stage.market.readSubmission(publisher, job.submissionId)).status).toBe('pending_review')
      expect(
        (await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))).state,
      ).toBe('approved')
    })

    test.each(['lost before', 'lost after'] as const)(
      'a settlement whose answer was %s is in doubt, and the reconciler finishes it once',
      async (fault) => {
        const job = await submittedJob(stage)
        const before = stage.chain.balance(worker.wallet)
        const input = await approval(stage, job.submissionId)
        const again = await approvalAgain(stage, job.submissionId)
        stage.chain.fault = (method) => (method === 'send' ? fault : 'none')
        const outcome = await stage.market.approve(publisher, job.submissionId, input)
        expect(outcome).toMatchObject({ state: 'approving', paymentTx: null })
        await expect(stage.market.approve(publisher, job.submissionId, again)).rejects.toThrow(
          refusedWith('APPROVAL_IN_FLIGHT'),
        )
        stage.chain.fault = () => 'none'
        await untilQuiet(stage)
        expect(stage.chain.balance(worker.wallet) - before).toBe(8_700_000n)
        expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('completed')
        expect(await ledgerDisagreements(stage)).toEqual([])
      },
    )

    test('cancel of an accepted task returns the whole bounty', async () => {
      const before = stage.chain.balance(publisher.wallet)
      const job = await appliedJob(stage)
      await assignJob(stage, job)
      expect((await stage.market.cancel(publisher, job.taskId, null)).status).toBe('cancelled')
      expect(stage.chain.balance(publisher.wallet)).toBe(before)
      await expect(stage.market.readTask({ kind: 'anonymous' }, job.taskId)).rejects.toThrow(refusedWith('TASK_GONE'))
      expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('cancelled')
      expect(await ledgerDisagreements(stage)).toEqual([])
    })
  },
)

/** The challenge is refused while a release is in flight, so the order is made by hand. */
async function approvalAgain(stage: Stage, submissionId: string) {
  if (stage.mode === 'fase1') return approval(stage, submissionId)
  return {
    rating: null,
    feedback: null,
    order: { signer: publisher.wallet, deadline: 2_000_000_000, nonce: '0xff', signature: '0x' },
    payoutAuth: null,
    feeAuth: null,
  }
}

describe('gates and refusals', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage('fase2')
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  test('an executor cannot take a task meant for another party', async () => {
    const { task } = await stage.market.publish(publisher, gateTask({ bountyUsd: '1', target: 'human' }))
    await expect(stage.market.apply(worker, task.id, { executorId: null, message: null })).rejects.toThrow(
      refusedWith('PARTY_MISMATCH'),
    )
  })

  test('a publisher cannot work on its own task', async () => {
    const job = await appliedJob(stage)
    await expect(stage.market.apply(publisher, job.taskId, { executorId: null, message: null })).rejects.toThrow(
      refusedWith('SELF_PAYMENT_BLOCKED'),
    )
  })

  test('a payer without the money is told how much is required, and the task stays published', async () => {
    const poor = {
      kind: 'wallet',
      wallet: '0x9999999999999999999999999999999999999999',
      agentId: null,
      via: 'signature',
    } as const
    const { task } = await stage.market.publish(poor, gateTask({ bountyUsd: '7.5' }))
    const { executorId } = await stage.market.apply(worker, task.id, { executorId: null, message: null })
    const challenge = await stage.market.assignChallenge(poor, task.id, executorId)
    await expect(
      stage.market.assign(poor, task.id, { executorId, notes: null, paymentAuth: JSON.stringify(challenge.envelope) }),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_FUNDS',
        details: expect.objectContaining({ required_usdc: 7.5, network: 'localnet' }) as unknown,
      }) as Error,
    )
    expect((await stage.market.readTask(poor, task.id)).status).toBe('published')
  })

  test('a payout or fee destination that contradicts the signed payment is refused before anything is sent', async () => {
    const job = await appliedJob(stage)
    const landings = stage.chain.landings.length
    const other = '0x3333333333333333333333333333333333333333'
    for (const wrong of [{ paymentWorker: other }, { paymentFee: other }]) {
      await expect(
        stage.market.assign(publisher, job.taskId, {
          executorId: job.executorId,
          notes: null,
          paymentAuth: job.paymentAuth,
          ...wrong,
        }),
      ).rejects.toThrow(refusedWith('FORBIDDEN_RECEIVER'))
    }
    expect(stage.chain.landings.length).toBe(landings)
    expect(
      (
        await stage.market.assign(publisher, job.taskId, {
          executorId: job.executorId,
          notes: null,
          paymentAuth: job.paymentAuth,
          paymentWorker: worker.wallet,
          paymentFee: 'operator',
        })
      ).state,
    ).toBe('accepted')
  })

  test('a lock the chain refuses leaves the task published and assignable', async () => {
    const job = await appliedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
    // Each 402 says what is asked for (spec §7).
    await expect(assignJob(stage, job)).rejects.toMatchObject({
      code: 'LOCK_REVERTED',
      details: { network: 'localnet', required_usdc: 10 },
    })
    stage.chain.fault = () => 'none'
    expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'published',
      escrowStatus: 'pending_assignment',
    })
    expect((await assignJob(stage, job)).state).toBe('accepted')
  })

  test('a lock in flight answers assigning; a retry too soon is ESCROW_NOT_ASSIGNABLE', async () => {
    const job = await appliedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('assigning')
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('ESCROW_NOT_ASSIGNABLE'))
    stage.chain.fault = () => 'none'
    await untilQuiet(stage)
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('accepted')
  })

  test('a task whose deadline passed expires and what it held goes back, retried until it is on chain', async () => {
    await using alone = await openStage('fase2')
    const before = alone.chain.balance(publisher.wallet)
    const job = await submittedJob(alone)
    alone.clock.advance(25 * 3_600_000)
    alone.chain.fault = () => 'unavailable'
    await alone.market.duties.expire()
    expect(await alone.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'expired',
      escrowStatus: 'refunding',
    })
    alone.chain.fault = () => 'none'
    await untilQuiet(alone)
    expect(await alone.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'expired',
      escrowStatus: 'refunded',
    })
    expect(alone.chain.balance(publisher.wallet)).toBe(before)
    expect(await ledgerDisagreements(alone)).toEqual([])
  })

  test('reject opens a dispute and moves no money; the same submission cannot be decided again', async () => {
    const job = await submittedJob(stage)
    const { task, dispute } = await stage.market.reject(publisher, job.submissionId, {
      reason: 'The gate is not on it.',
      criteria: ['photo'],
    })
    expect([task.status, dispute.status, dispute.criteria]).toEqual(['disputed', 'open', ['photo']])
    await expect(stage.market.reject(publisher, job.submissionId, { reason: 'again', criteria: [] })).rejects.toThrow(
      refusedWith('SUBMISSION_NOT_REVIEWABLE'),
    )
  })

  test('a request for changes puts the task in progress until the next submission', async () => {
    const job = await submittedJob(stage)
    expect((await stage.market.requestChanges(publisher, job.submissionId, 'Closer, please.')).task.status).toBe(
      'in_progress',
    )
    const { submission } = await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'Closer now.' },
      notes: null,
      deviceMetadata: null,
    })
    expect((await stage.market.approve(publisher, submission.id, await approval(stage, submission.id))).state).toBe(
      'approved',
    )
  })

  test('without the release order nothing moves and the code says so', async () => {
    const job = await submittedJob(stage)
    await expect(
      stage.market.approve(publisher, job.submissionId, {
        rating: null,
        feedback: null,
        order: null,
        payoutAuth: null,
        feeAuth: null,
      }),
    ).rejects.toThrow(refusedWith('LIFECYCLE_ORDER_REQUIRED'))
  })

  test('a repeated idempotency key answers the first task; with another body it is refused', async () => {
    const input = gateTask({ bountyUsd: '1' })
    const first = await stage.market.publish(publisher, { ...input, idempotency: { key: 'k1', bodyHash: 'a' } })
    const again = await stage.market.publish(publisher, { ...input, idempotency: { key: 'k1', bodyHash: 'a' } })
    expect([again.replayed, again.task.id]).toEqual([true, first.task.id])
    await expect(
      stage.market.publish(publisher, { ...input, idempotency: { key: 'k1', bodyHash: 'b' } }),
    ).rejects.toThrow(refusedWith('IDEMPOTENCY_KEY_REUSED'))
  })

  test('ratings open with completion, one a direction, and the document is what was hashed', async () => {
    const job = await submittedJob(stage)
    const prepare = { taskId: job.taskId, direction: 'publisher_rates_executor', score: 90, comment: 'Quick.' } as const
    await expect(stage.market.prepareRating(publisher, prepare)).rejects.toThrow(refusedWith('TASK_NOT_RATEABLE'))
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    const prepared = await stage.market.prepareRating(publisher, prepare)
    const given = await stage.market.submitRating(publisher, { ...prepared, signature: '0x' })
    expect(given).toMatchObject({ author: publisher.wallet, score: 90 })
    await expect(stage.market.prepareRating(publisher, prepare)).rejects.toThrow(refusedWith('ALREADY_RATED'))
    expect(new TextDecoder().decode(await stage.market.feedbackDocument(job.taskId, null))).toContain('"score":90')
    await expect(stage.market.prepareRating(worker, prepare)).rejects.toThrow(refusedWith('FORBIDDEN'))
  })

  test('a rating given with the approval is relayed later, once', async () => {
    const job = await submittedJob(stage)
    await stage.market.approve(publisher, job.submissionId, {
      ...(await approval(stage, job.submissionId)),
      rating: 80,
      feedback: 'Good.',
    })
    expect(await stage.market.duties.relayRatings()).toBe(1)
    expect(await stage.market.duties.relayRatings()).toBe(0)
    expect(await stage.store.rating(job.taskId, 'publisher_rates_executor')).toMatchObject({
      status: 'confirmed',
      terms: { score: 80 },
    })
  })

  test('the payout waits for no identity: a rating that cannot be written is told, and the worker is paid', async () => {
    await using alone = await openStage('fase2')
    const job = await submittedJob(alone)
    await alone.pool.query('delete from identities where wallet = $1', [worker.wallet])
    const refuses = () => Promise.reject(new MarketError('GAS_BUDGET_SPENT'))
    const identities = { ...alone.deps.identities, lookup: () => Promise.resolve(null), register: refuses }
    const market = createMarket({ ...alone.deps, identities })
    const words = { ...(await approval(alone, job.submissionId)), rating: 80, feedback: 'Good.' }
    expect(await market.approve(publisher, job.submissionId, words)).toMatchObject({ rating: 'not_written' })
    expect(await alone.store.task(job.taskId)).toMatchObject({ status: 'completed', escrowStatus: 'released' })
    expect(await alone.store.rating(job.taskId, 'publisher_rates_executor')).toBeNull()
  })

  test('the ledger only grows', async () => {
    await expect(stage.pool.query('update ledger set amount_atomic = 0')).rejects.toThrow('the ledger only grows')
    await expect(stage.pool.query('delete from ledger')).rejects.toThrow('the ledger only grows')
    await expect(stage.pool.query('truncate ledger')).rejects.toThrow('the ledger only grows')
  })
})
