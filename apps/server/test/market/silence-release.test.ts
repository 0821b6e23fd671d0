import type { PolicyInput } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hourMs, refusedWith, silenceOn, type SilentJob } from './silence-stage.ts'
import {
  appliedJob,
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())
const { verified, after, told, passedJob, statusOf } = silenceOn(() => stage)

describe('release without a click (decision 0158)', () => {
  /** Assigned with the standing order of this very payment, and handed in. */
  async function consentedJob(policy: PolicyInput = {}): Promise<SilentJob> {
    const job = await appliedJob(stage, worker, '10', { reviewHours: 10, disputeHours: 48, ...policy })
    const { hash } = JSON.parse(job.paymentAuth ?? '{}') as { readonly hash: string }
    await assignJob(stage, { ...job, standingOrder: JSON.stringify({ payment: hash }) })
    const { submission } = await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open.' },
      notes: null,
      deviceMetadata: null,
    })
    return { ...job, submissionId: submission.id }
  }
  const paidSince = (before: bigint): bigint => stage.chain.balance(worker.wallet) - before

  test('pays the worker when the review ends in silence and the checks passed, and says by what', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await verified(await consentedJob())
    await after(9.9)
    expect(await statusOf(job)).toBe('verifying')
    await after(0.1)
    expect(await statusOf(job)).toBe('completed')
    expect(paidSince(before)).toBe(8_700_000n)
    expect((await told(job, 'review.lapsed')).map(({ data }) => data)).toEqual([
      {
        task_id: job.taskId,
        submission_id: job.submissionId,
        outcome: 'release',
        checks: expect.arrayContaining([{ name: 'schema', result: 'passed' }]),
      },
    ])
    const sent = stage.chain.landings.at(-1)?.order
    expect(sent).toMatchObject({
      kind: 'capture',
      order: { signer: 'spender', warrant: { payment: sent?.kind === 'capture' ? sent.payment.hash : '' } },
    })
    await after(1)
    await untilQuiet(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('opens a dispute when the checks did not pass', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await consentedJob()
    await after(11)
    expect([await statusOf(job), paidSince(before)]).toEqual(['disputed', 0n])
  })

  test('opens a dispute when the payer did not sign for it', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await passedJob({ reviewHours: 10 })
    await after(11)
    expect([await statusOf(job), paidSince(before)]).toEqual(['disputed', 0n])
  })

  test('opens a dispute when the order that is kept is for another payment', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await verified(await consentedJob())
    await stage.store.transaction((tx) => tx.keepStandingOrder(job.taskId, { payment: `0x${'ab'.repeat(32)}` }))
    await after(11)
    expect([await statusOf(job), paidSince(before)]).toEqual(['disputed', 0n])
  })

  test('pays what is left where the payer released a part on chain', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await verified(await consentedJob())
    const payment = await stage.store.escrowPayment(job.taskId)
    stage.chain.capture(payment?.hash ?? '', 4_000_000n)
    await after(11)
    await untilQuiet(stage)
    expect([await statusOf(job), paidSince(before)]).toEqual(['completed', 8_700_000n])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('is not offered where silence pays nobody', async () => {
    const job = await appliedJob(stage, worker, '10', { onSilence: 'dispute' })
    const { hash } = JSON.parse(job.paymentAuth ?? '{}') as { readonly hash: string }
    const standingOrder = JSON.stringify({ payment: hash })
    await expect(assignJob(stage, { ...job, standingOrder })).rejects.toThrow(refusedWith('LIFECYCLE_ORDER_INVALID'))
    expect((await assignJob(stage, job)).state).toBe('accepted')
  })

  test('that is refused again and again gives way to a dispute', async () => {
    const job = await verified(await consentedJob({ disputeHours: 720 }))
    const { fault } = stage.chain
    stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
    await after(10)
    for (let round = 0; round < 12; round += 1) await after(0.2)
    stage.chain.fault = fault
    expect(await statusOf(job)).toBe('disputed')
    expect((await told(job, 'review.lapsed')).map(({ data }) => data['outcome'])).toEqual([
      ...Array.from({ length: 5 }, () => 'release'),
      'dispute',
    ])
  })

  test('is not tried where the service slept through the end of the authorization: the money goes back at once', async () => {
    const job = await verified(await consentedJob())
    const payment = await stage.store.escrowPayment(job.taskId)
    await after(2_000)
    await after(0.1)
    await untilQuiet(stage)
    expect((await told(job, 'review.lapsed')).map(({ data }) => data['outcome'])).toEqual(['dispute'])
    expect(await statusOf(job)).toBe('expired')
    const its = stage.chain.landings.filter(({ order }) => 'payment' in order && order.payment.hash === payment?.hash)
    expect(its.map(({ order }) => order.kind)).toEqual(['authorize', 'void'])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('goes with the payment it is for: a worker who steps down takes it along', async () => {
    const job = await appliedJob(stage, worker, '10', { reviewHours: 10 })
    const { hash } = JSON.parse(job.paymentAuth ?? '{}') as { readonly hash: string }
    await assignJob(stage, { ...job, standingOrder: JSON.stringify({ payment: hash }) })
    expect(await stage.store.standingOrder(job.taskId)).toEqual({ payment: hash })
    await stage.market.withdraw(worker, job.taskId, null)
    expect(await stage.store.standingOrder(job.taskId)).toBeNull()
  })

  test('and an approval at the same moment: one of them counts', async () => {
    const before = stage.chain.balance(worker.wallet)
    const job = await verified(await consentedJob())
    stage.clock.advance(10 * hourMs + 1)
    const input = await approval(stage, job.submissionId)
    await Promise.allSettled([
      stage.market.approve(publisher, job.submissionId, input),
      stage.market.duties.runTimers(),
      stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] }),
    ])
    await untilQuiet(stage)
    expect(['completed', 'disputed']).toContain(await statusOf(job))
    expect([0n, 8_700_000n]).toContain(paidSince(before))
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})
