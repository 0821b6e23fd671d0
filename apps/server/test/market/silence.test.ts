import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hourMs, refusedWith, silenceOn, type SilentJob } from './silence-stage.ts'
import {
  appliedJob,
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())
const { verified, after, told, passedJob, unverifiedJob, statusOf, deadlineOf } = silenceOn(() => stage)

describe('a deadline (decision 0157)', () => {
  test('waits for the end of the review that handing in begins, and says why', async () => {
    const job = await appliedJob(stage, worker, '10', { reviewHours: 72 })
    await assignJob(stage, job)
    const was = await deadlineOf(job)
    stage.clock.advance(hourMs)
    const now = stage.clock.now()
    await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open.' },
      notes: null,
      deviceMetadata: null,
    })
    const deadline = new Date(now.getTime() + 72 * hourMs)
    expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({ deadline, reviewUntil: deadline })
    expect(await told(job, 'task.deadline_moved')).toEqual([
      {
        type: 'task.deadline_moved',
        data: { task_id: job.taskId, deadline: deadline.toISOString(), was: was.toISOString(), reason: 'submitted' },
      },
    ])
  })

  test('stays where it is when the review ends before it', async () => {
    const job = await submittedJob(stage, { reviewHours: 2 })
    expect(await told(job, 'task.deadline_moved')).toEqual([])
  })

  test.each([
    [
      'a rejection',
      (job: SilentJob) => stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] }),
    ],
    [
      'a dispute',
      (job: SilentJob) =>
        stage.market.openDispute(worker, job.submissionId, { reason: 'no_response', description: 'Nobody looks.' }),
    ],
    [
      'the word of the operator',
      (job: SilentJob) =>
        stage.market.forceTask(job.taskId, 'disputed', { actor: 'me', reason: 'Looked odd.', requestId: 'r' }),
    ],
  ])('waits for as long as the dispute can be decided after %s', async (_what, open) => {
    const job = await submittedJob(stage, { reviewHours: 2, disputeHours: 100 })
    await open(job)
    expect(await deadlineOf(job)).toEqual(new Date(stage.clock.now().getTime() + 100 * hourMs))
    expect((await told(job, 'task.deadline_moved')).map(({ data }) => data['reason'])).toEqual(['disputed'])
  })

  test('waits for a change that is asked for', async () => {
    const job = await submittedJob(stage, { reviewHours: 40 })
    stage.clock.advance(39 * hourMs)
    await stage.market.requestChanges(publisher, job.submissionId, 'Closer.')
    expect(await deadlineOf(job)).toEqual(new Date(stage.clock.now().getTime() + 40 * hourMs))
  })

  test('of a task without a policy moves for nothing', async () => {
    const job = await submittedJob(stage)
    const before = await deadlineOf(job)
    await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })
    expect(await deadlineOf(job)).toEqual(before)
    await after(25)
    expect(await statusOf(job)).toBe('expired')
    expect(await told(job, 'task.deadline_moved', 'review.reminder', 'review.lapsed')).toEqual([])
  })

  test('on which nothing was handed in expires the task, with a policy or without', async () => {
    const job = await appliedJob(stage, worker, '10', {})
    await assignJob(stage, job)
    await after(25)
    expect(await statusOf(job)).toBe('expired')
  })
})

describe('a review (decision 0158)', () => {
  test('tells both sides at half of its time and at nine tenths', async () => {
    const job = await passedJob({ reviewHours: 10 })
    const { reviewUntil } = await stage.market.readTask(publisher, job.taskId)
    await after(4.9)
    expect(await told(job, 'review.reminder')).toEqual([])
    await after(0.1)
    await after(3.9)
    expect(await told(job, 'review.reminder')).toHaveLength(1)
    await after(0.1)
    expect((await told(job, 'review.reminder')).map(({ data }) => data)).toEqual(
      [50, 90].map((elapsed_pct) => ({
        task_id: job.taskId,
        submission_id: job.submissionId,
        elapsed_pct,
        review_until: reviewUntil?.toISOString(),
        otherwise: 'release',
      })),
    )
  })

  test('that ends in silence is a dispute, with the checks it went by, and never a refund', async () => {
    const job = await passedJob({ reviewHours: 30, onSilence: 'dispute' })
    await after(29)
    expect(await statusOf(job)).toBe('verifying')
    await after(1)
    expect(await statusOf(job)).toBe('disputed')
    const [lapsed] = await told(job, 'review.lapsed')
    expect(lapsed?.data).toMatchObject({ outcome: 'dispute', submission_id: job.submissionId })
    expect(lapsed?.data['checks']).toContainEqual({ name: 'schema', result: 'passed' })
    const { rows } = await stage.market.disputes(
      { kind: 'admin' },
      { status: 'open', taskId: job.taskId },
      { limit: 2, offset: 0, cursor: null },
    )
    expect(rows).toMatchObject([{ openedBy: 'service', reason: 'no_response', submissionId: job.submissionId }])
  })

  test('that was decided in time ends in nothing else', async () => {
    const job = await passedJob({ reviewHours: 10 })
    await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })
    await after(11)
    expect(await told(job, 'review.lapsed', 'review.reminder')).toEqual([])
  })

  test('begins anew with what is handed in after a change', async () => {
    const job = await submittedJob(stage, { reviewHours: 10, onSilence: 'dispute' })
    await after(8)
    await stage.market.requestChanges(publisher, job.submissionId, 'Closer.')
    stage.clock.advance(hourMs)
    await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open, and green.' },
      notes: null,
      deviceMetadata: null,
    })
    await after(9)
    expect(await statusOf(job)).toBe('verifying')
    await after(1)
    expect(await statusOf(job)).toBe('disputed')
  })

  test('has its whole time, whenever its timer is taken', async () => {
    const job = await passedJob({ reviewHours: 10, onSilence: 'dispute' })
    await stage.pool.query("update task_timers set due_at = $2 where task_id = $1 and kind = 'review_end'", [
      job.taskId,
      stage.clock.now(),
    ])
    await after(9)
    expect(await statusOf(job)).toBe('verifying')
    await after(1)
    expect(await statusOf(job)).toBe('disputed')
  })

  test('that ends while a payment is in flight waits for the end of that', async () => {
    const job = await passedJob({ reviewHours: 10 })
    const input = await approval(stage, job.submissionId)
    const { fault } = stage.chain
    stage.chain.fault = () => 'held'
    expect((await stage.market.approve(publisher, job.submissionId, input)).state).toBe('approving')
    await after(11)
    expect([await statusOf(job), await told(job, 'review.lapsed')]).toEqual(['verifying', []])
    stage.chain.fault = fault
    // Its copies are past their deadline by now: the payment comes to nothing, and silence is what is left.
    stage.chain.deliver()
    await untilQuiet(stage)
    await after(1)
    expect([await statusOf(job), (await told(job, 'review.lapsed')).length]).toEqual(['disputed', 1])
  })
})

describe('the moved deadline of work that was handed in (decision 0157)', () => {
  test('pays the worker where the checks passed and nobody decided the dispute', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await passedJob({ reviewHours: 2, disputeHours: 48 })
    await stage.market.reject(publisher, job.submissionId, { reason: 'I do not like it.', criteria: [] })
    await after(47)
    expect(await statusOf(job)).toBe('disputed')
    await after(1)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('completed')
    expect(stage.chain.balance(worker.wallet) - before).toBe(8_700_000n)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('expires the task where they did not pass, and the money goes back', async () => {
    const before = stage.chain.balance(publisher.wallet)
    const job = await passedJob({ reviewHours: 2, disputeHours: 48 })
    await stage.pool.query(
      `update submissions set checks = jsonb_set(checks, '{0,result}', '"failed"') where id = $1`,
      [job.submissionId],
    )
    expect(stage.chain.balance(publisher.wallet)).toBe(before - 10_000_000n)
    await after(3)
    expect(await statusOf(job)).toBe('disputed')
    await after(48)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('expired')
    expect(stage.chain.balance(publisher.wallet)).toBe(before)
  })

  test('waits for checks that have not run, as long as the money can', async () => {
    const [late, never] = [await unverifiedJob({ disputeHours: 48 }), await unverifiedJob({ disputeHours: 48 })]
    for (const job of [late, never])
      await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })
    await after(73)
    expect([await statusOf(late), await statusOf(never)]).toEqual(['disputed', 'disputed'])
    await stage.pool.query('update submissions set verification_due_at = null where id = $1', [never.submissionId])
    await verified(late)
    await after(1)
    await untilQuiet(stage)
    expect([await statusOf(late), await statusOf(never)]).toEqual(['completed', 'disputed'])
    const payment = await stage.store.escrowPayment(never.taskId)
    const left = (payment?.authorizationExpiry ?? 0) * 1_000 - 12 * hourMs - stage.clock.now().getTime()
    await after(left / hourMs)
    await untilQuiet(stage)
    expect(await statusOf(never)).toBe('expired')
  })

  test('is a dispute where changes were asked for and none came', async () => {
    const job = await passedJob({ reviewHours: 30, disputeHours: 48 })
    await stage.market.requestChanges(publisher, job.submissionId, 'Closer.')
    await after(31)
    expect(await statusOf(job)).toBe('disputed')
    await after(48)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('completed')
  })

  test('gives way to a ruling', async () => {
    const job = await passedJob({ reviewHours: 2, disputeHours: 48 })
    await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })
    const [dispute] = (
      await stage.market.disputes(
        { kind: 'admin' },
        { status: 'open', taskId: job.taskId },
        { limit: 1, offset: 0, cursor: null },
      )
    ).rows
    await stage.market.resolveDispute({ kind: 'anonymous' }, dispute?.id ?? '', {
      verdict: 'refund',
      splitPct: null,
      reason: 'It is another gate.',
    })
    await after(50)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('cancelled')
    await expect(
      stage.market.addStatement(worker, dispute?.id ?? '', { statement: 'Why?', links: [] }),
    ).rejects.toThrow(refusedWith('DISPUTE_NOT_OPEN'))
  })

  test('that is tried while the facilitator is away is tried again', async () => {
    const job = await passedJob({ reviewHours: 2, disputeHours: 48 })
    await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })
    const { fault } = stage.chain
    stage.chain.fault = () => 'unavailable'
    await after(49)
    expect(await statusOf(job)).toBe('disputed')
    stage.chain.fault = fault
    await after(1)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('completed')
  })
})

describe('without escrow (mode fase1)', () => {
  test('silence is a dispute, and its end pays nobody', async () => {
    const direct = await openStage('fase1')
    try {
      const job = await passedJob({ reviewHours: 2, disputeHours: 24 }, direct)
      await after(3, direct)
      expect(await statusOf(job, direct)).toBe('disputed')
      await after(25, direct)
      expect(await statusOf(job, direct)).toBe('expired')
    } finally {
      await direct[Symbol.asyncDispose]()
    }
  })
})
