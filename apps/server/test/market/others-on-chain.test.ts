import { describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  gateTask,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'
import { refusedWith } from './refused-with.ts'

describe('what others do on chain', () => {
  test('a worker who writes what looks like a stored file gets no link to it', async () => {
    await using stage = await openStage('fase2')
    const asked = gateTask({ bountyUsd: '1', evidenceRequired: ['json_response'] })
    const { task } = await stage.market.publish(publisher, asked)
    const { executorId } = await stage.market.apply(worker, task.id, { executorId: null, message: null })
    const { envelope } = await stage.market.assignChallenge(publisher, task.id, executorId)
    await stage.market.assign(publisher, task.id, { executorId, notes: null, paymentAuth: JSON.stringify(envelope) })
    const forged = { key: 'another/wallets', sha256: '00', content_type: 'image/jpeg', bytes: 1 }
    const { submission } = await stage.market.submit(worker, task.id, {
      executorId: null,
      evidence: { json_response: forged },
      notes: null,
      deviceMetadata: null,
    })
    expect((await stage.market.readSubmission(publisher, submission.id)).evidence).toEqual({ json_response: forged })
  })

  test.each([
    ['takes back', 'reclaim', 'refunded'],
    ['pays out', 'payOut', 'released'],
  ] as const)(
    'a payer who %s the funds on chain and past us leaves no refund that is tried for ever',
    async (_what, how, status) => {
      await using stage = await openStage('fase2')
      const job = await submittedJob(stage)
      const payment = await stage.store.escrowPayment(job.taskId)
      stage.chain[how](payment?.hash ?? '')
      stage.clock.advance(25 * 3_600_000)
      await stage.market.duties.expire()
      await untilQuiet(stage)
      expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({
        status: 'expired',
        escrowStatus: status,
      })
      const moved = stage.chain.movements.at(-1)
      expect(await paymentEventsOf(stage, job.taskId)).toContainEqual(
        expect.objectContaining({ status: 'success', txHash: moved?.txHash, note: 'by another hand on chain' }),
      )
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )

  test('fees that another party sent to the treasury are booked, and later ones are swept', async () => {
    await using stage = await openStage('fase2')
    stage.chain.now = () => stage.clock.now()
    await stage.market.duties.followChains()
    const first = await submittedJob(stage)
    await stage.market.approve(publisher, first.submissionId, await approval(stage, first.submissionId))
    stage.chain.sweepOtherwise()
    stage.clock.advance(700_000)
    await untilQuiet(stage)
    await stage.market.duties.followChains()
    expect((await paymentEventsOf(stage, first.taskId)).at(-1)).toMatchObject({
      type: 'disburse_fee',
      status: 'in_doubt',
      txHash: null,
    })
    const second = await submittedJob(stage)
    await stage.market.approve(publisher, second.submissionId, await approval(stage, second.submissionId))
    await untilQuiet(stage)
    expect((await paymentEventsOf(stage, second.taskId)).at(-1)).toMatchObject({
      type: 'disburse_fee',
      status: 'success',
    })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('an authorization that ran out while nobody could send it gives the task back', async () => {
    await using stage = await openStage('fase2')
    const job = await appliedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    stage.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
    stage.clock.advance(2 * 3_600_000)
    await untilQuiet(stage)
    expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'published',
      escrowStatus: 'pending_assignment',
    })
  })

  test('an authorization sent with the task counts only for the worker it pays', async () => {
    await using stage = await openStage('fase2')
    const job = await appliedJob(stage)
    const other = {
      kind: 'wallet',
      wallet: '0x4444444444444444444444444444444444444444',
      agentId: null,
      via: 'signature',
    } as const
    // Made by the payer's own client, whose salt carries no task.
    const { salt: _salt, ...own } = JSON.parse(job.paymentAuth ?? '{}') as Record<string, string> // the envelope as the stage made it
    const { task } = await stage.market.publish(
      publisher,
      gateTask({ deadlineHours: 1, paymentAuth: JSON.stringify(own) }),
    )
    const wrong = await stage.market.apply(other, task.id, { executorId: null, message: null })
    const right = await stage.market.apply(worker, task.id, { executorId: null, message: null })
    await expect(
      stage.market.assign(publisher, task.id, { executorId: wrong.executorId, notes: null, paymentAuth: null }),
    ).rejects.toThrow(refusedWith('escrow_signature_required'))
    expect(
      (await stage.market.assign(publisher, task.id, { executorId: right.executorId, notes: null, paymentAuth: null }))
        .state,
    ).toBe('accepted')
  })
})
