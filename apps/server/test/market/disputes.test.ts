import type { Caller, DisputeView, ResolveInput } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

const refusedWith = (code: string) => expect.objectContaining({ code }) as Error
const admin: Caller = { kind: 'anonymous' }
const other = {
  kind: 'wallet',
  wallet: '0x3333333333333333333333333333333333333333',
  agentId: 3,
  via: 'signature',
} as const
const page = { limit: 10, offset: 0, cursor: null }

const release: ResolveInput = { verdict: 'release', splitPct: null, reason: 'The work is what was asked for.' }
const refund: ResolveInput = { verdict: 'refund', splitPct: null, reason: 'Nothing was delivered.' }
const split = (splitPct: number): ResolveInput => ({ verdict: 'split', splitPct, reason: 'Half of the work is there.' })

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function disputedJob(at: Stage = stage) {
  const job = await submittedJob(at)
  const dispute = await at.market.openDispute(worker, job.submissionId, {
    reason: 'no_response',
    description: 'Nobody looks at it.',
  })
  return { ...job, dispute }
}

function balances({ chain }: Stage = stage) {
  return {
    worker: chain.balance(worker.wallet),
    payer: chain.balance(publisher.wallet),
    operator: chain.balance('operator') + chain.balance('treasury'),
  }
}

function gained(before: ReturnType<typeof balances>, at: Stage = stage): readonly bigint[] {
  const after = balances(at)
  return [after.worker - before.worker, after.payer - before.payer, after.operator - before.operator]
}

describe('opening (decision 0046)', () => {
  test.each([
    ['publisher', publisher],
    ['worker', worker],
  ] as const)(
    'the %s may dispute a submission in review, once, and the publisher may still approve it',
    async (side, caller) => {
      const job = await submittedJob(stage)
      const input = await approval(stage, job.submissionId)
      const dispute = await stage.market.openDispute(caller, job.submissionId, {
        reason: 'other',
        description: 'We do not agree.',
      })
      expect(dispute).toMatchObject({ status: 'open', openedBy: side, taskId: job.taskId })
      expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('disputed')
      await expect(
        stage.market.openDispute(caller, job.submissionId, { reason: 'other', description: 'Once more.' }),
      ).rejects.toThrow(refusedWith('SUBMISSION_NOT_REVIEWABLE'))
      expect((await stage.market.approve(publisher, job.submissionId, input)).state).toBe('approved')
    },
  )

  test('a stranger may neither open, read nor comment on a dispute, and does not find it in its list', async () => {
    const job = await submittedJob(stage)
    await expect(
      stage.market.openDispute(other, job.submissionId, { reason: 'other', description: 'None of my business.' }),
    ).rejects.toThrow(refusedWith('FORBIDDEN'))
    const { id } = await stage.market.openDispute(worker, job.submissionId, {
      reason: 'other',
      description: 'We do not agree.',
    })
    await expect(stage.market.readDispute(other, id)).rejects.toThrow(refusedWith('FORBIDDEN'))
    await expect(stage.market.addStatement(other, id, { statement: 'Hello there.', links: [] })).rejects.toThrow(
      refusedWith('FORBIDDEN'),
    )
    const listed = async (caller: Parameters<Stage['market']['disputes']>[0]) =>
      (await stage.market.disputes(caller, { status: 'open', taskId: job.taskId }, page)).rows.map((one) => one.id)
    expect([
      await listed(other),
      await listed(worker),
      await listed(publisher),
      await listed({ kind: 'admin' }),
    ]).toEqual([[], [id], [id], [id]])
  })

  test('both sides add what they have to say, in order, until it is decided', async () => {
    const { dispute } = await disputedJob()
    await stage.market.addStatement(publisher, dispute.id, { statement: 'The gate is not on the photo.', links: [] })
    await stage.market.addStatement(worker, dispute.id, {
      statement: 'It is behind the tree.',
      links: ['https://example.org/photo.jpg'],
    })
    expect(
      (await stage.market.readDispute(publisher, dispute.id)).statements.map(({ side, links }) => [side, links]),
    ).toEqual([
      ['publisher', []],
      ['worker', ['https://example.org/photo.jpg']],
    ])
    await stage.market.resolveDispute(admin, dispute.id, refund)
    await expect(stage.market.addStatement(worker, dispute.id, { statement: 'But wait.', links: [] })).rejects.toThrow(
      refusedWith('DISPUTE_NOT_OPEN'),
    )
  })
})

describe('resolution moves the money as decided (decision 0046)', () => {
  const ends: readonly (readonly [string, ResolveInput, string, string, readonly bigint[]])[] = [
    ['release pays the worker', release, 'completed/released', 'approved', [8_700_000n, 0n, 1_300_000n]],
    ['refund gives all back', refund, 'cancelled/refunded', 'rejected', [0n, 10_000_000n, 0n]],
    [
      'a split of 30 % gives the payer 30 % and the worker the rest less the fee',
      split(30),
      'completed/released',
      'approved',
      [6_090_000n, 3_000_000n, 910_000n],
    ],
    ['a split of 1 %', split(1), 'completed/released', 'approved', [8_613_000n, 100_000n, 1_287_000n]],
    ['a split of 99 %', split(99), 'completed/released', 'approved', [87_000n, 9_900_000n, 13_000n]],
  ]
  test.each(ends)('%s', async (_, input, status, submissionStatus, amounts) => {
    const { dispute, taskId, submissionId } = await disputedJob()
    const before = balances()
    const { state, dispute: after } = await stage.market.resolveDispute(admin, dispute.id, input)
    expect([state, after.status, after.resolution]).toEqual([
      'resolved',
      'resolved',
      { verdict: input.verdict, splitPct: input.splitPct, reason: input.reason },
    ])
    expect(gained(before)).toEqual(amounts)
    const task = await stage.market.readTask(publisher, taskId)
    expect(`${task.status}/${task.escrowStatus}`).toBe(status)
    expect((await stage.market.readSubmission(worker, submissionId)).status).toBe(submissionStatus)
    await untilQuiet(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
    const events = await paymentEventsOf(stage, taskId)
    expect(events.filter((event) => event.type === 'disburse_fee').map((event) => event.amount?.atomic)).toEqual(
      amounts[2] === 0n ? [] : [amounts[2]],
    )
    await expect(stage.market.resolveDispute(admin, dispute.id, release)).rejects.toThrow(
      refusedWith('DISPUTE_NOT_OPEN'),
    )
  })

  test('a party never resolves, whatever key it holds', async () => {
    const { dispute } = await disputedJob()
    for (const party of [publisher, worker])
      await expect(stage.market.resolveDispute(party, dispute.id, release)).rejects.toThrow(refusedWith('FORBIDDEN'))
  })

  test.each([{ ...release, splitPct: 50 }, { ...split(50), splitPct: null }, split(0), split(100)])(
    'a share belongs to a split and to nothing else: %o',
    async (input) => {
      const { dispute } = await disputedJob()
      await expect(stage.market.resolveDispute(admin, dispute.id, input)).rejects.toThrow(
        refusedWith('VALIDATION_FAILED'),
      )
    },
  )

  test('a rejected submission can be resolved for the worker after all', async () => {
    const job = await submittedJob(stage)
    const { dispute } = await stage.market.reject(publisher, job.submissionId, { reason: 'Blurred.', criteria: [] })
    const before = balances()
    await stage.market.resolveDispute(admin, dispute.id, release)
    expect(gained(before)).toEqual([8_700_000n, 0n, 1_300_000n])
  })

  test('a resolution the chain refuses is taken back: the dispute is open and may be resolved otherwise', async () => {
    const { dispute, taskId } = await disputedJob()
    stage.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
    await expect(stage.market.resolveDispute(admin, dispute.id, split(50))).rejects.toThrow(
      refusedWith('SETTLEMENT_FAILED'),
    )
    stage.chain.fault = () => 'none'
    expect(await stage.market.readDispute(worker, dispute.id)).toMatchObject({ status: 'open', resolution: null })
    const before = balances()
    await stage.market.resolveDispute(admin, dispute.id, split(40))
    expect(gained(before)).toEqual([5_220_000n, 4_000_000n, 780_000n])
    expect((await stage.market.readTask(publisher, taskId)).status).toBe('completed')
  })

  test.each(['lost before', 'lost after'] as const)(
    'a split whose answers were %s is finished by the reconciler, each move once',
    async (fault) => {
      const { dispute, taskId } = await disputedJob()
      const before = balances()
      stage.chain.fault = (method) => (method === 'send' ? fault : 'none')
      expect((await stage.market.resolveDispute(admin, dispute.id, split(50))).state).toBe('resolving')
      await expect(stage.market.resolveDispute(admin, dispute.id, refund)).rejects.toThrow(
        refusedWith('APPROVAL_IN_FLIGHT'),
      )
      stage.chain.fault = () => 'none'
      await untilQuiet(stage)
      expect(gained(before)).toEqual([4_350_000n, 5_000_000n, 650_000n])
      expect(await stage.market.readDispute(worker, dispute.id)).toMatchObject({
        status: 'resolved',
        refundTx: expect.any(String) as string,
      } satisfies Partial<DisputeView>)
      expect((await stage.market.payment(publisher, taskId)).payout?.atomic).toBe(4_350_000n)
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )

  test('the payer takes the money back on chain under a resolution for it: the task is cancelled all the same', async () => {
    const { dispute, taskId } = await disputedJob()
    const payment = await stage.store.escrowPayment(taskId)
    stage.chain.reclaim(payment?.hash ?? '')
    expect(await stage.market.resolveDispute(admin, dispute.id, refund)).toMatchObject({
      state: 'resolved',
      dispute: { refundTx: stage.chain.movements.at(-1)?.txHash },
    })
    expect((await stage.market.readTask(publisher, taskId)).status).toBe('cancelled')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test.each([release, split(50)])(
    'the payer takes it all back under a resolution for the worker: nothing was released, and the dispute can still end',
    async (resolution) => {
      const { dispute, taskId } = await disputedJob()
      const payment = await stage.store.escrowPayment(taskId)
      stage.chain.reclaim(payment?.hash ?? '')
      await expect(stage.market.resolveDispute(admin, dispute.id, resolution)).rejects.toThrow(
        refusedWith('ESCROW_NOT_RELEASABLE'),
      )
      expect(await stage.market.readTask(publisher, taskId)).toMatchObject({
        status: 'disputed',
        escrowStatus: 'refunded',
      })
      expect((await stage.market.resolveDispute(admin, dispute.id, refund)).state).toBe('resolved')
      expect((await stage.market.readTask(publisher, taskId)).status).toBe('cancelled')
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )
})

describe('expiry of a disputed task is literal, and never under a payment (decision 0035)', () => {
  test('the task expires, the payer is refunded, and the dispute is over without a verdict', async () => {
    await using own = await openStage('fase2')
    const { dispute, taskId } = await disputedJob(own)
    own.clock.advance(25 * 3_600_000)
    await own.market.duties.expire()
    expect(await own.market.readTask(publisher, taskId)).toMatchObject({ status: 'expired', escrowStatus: 'refunded' })
    expect(await own.market.readDispute(worker, dispute.id)).toMatchObject({ status: 'expired', resolution: null })
    await expect(own.market.resolveDispute(admin, dispute.id, release)).rejects.toThrow(refusedWith('DISPUTE_NOT_OPEN'))
  })

  test('a resolution in flight outlives the deadline', async () => {
    await using own = await openStage('fase2')
    const { dispute, taskId } = await disputedJob(own)
    own.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    await own.market.resolveDispute(admin, dispute.id, split(50))
    own.chain.fault = () => 'none'
    own.clock.advance(25 * 3_600_000)
    expect(await own.market.duties.expire()).toBe(0)
    await untilQuiet(own)
    expect((await own.market.readTask(publisher, taskId)).status).toBe('completed')
  })
})

test('without escrow a dispute is resolved for the payer at once, and never divided: nothing is held', async () => {
  await using own = await openStage('fase1')
  const { dispute, taskId } = await disputedJob(own)
  await expect(own.market.resolveDispute(admin, dispute.id, split(50))).rejects.toThrow(
    refusedWith('ESCROW_NOT_RELEASABLE'),
  )
  expect((await own.market.resolveDispute(admin, dispute.id, refund)).state).toBe('resolved')
  expect((await own.market.readTask(publisher, taskId)).status).toBe('cancelled')
})

describe('withdraw: refund first, then published again (decision 0046)', () => {
  async function acceptedJob(at: Stage) {
    const job = await appliedJob(at)
    await assignJob(at, job)
    return job
  }

  test.each(['fase1', 'fase2'] as const)(
    'in %s the money is back, the worker is out, and another one can be assigned and paid',
    async (mode) => {
      await using own = await openStage(mode)
      const job = await acceptedJob(own)
      const next = await own.market
        .apply(other, job.taskId, { executorId: null, message: null })
        .catch((error: unknown) => error)
      expect(next).toMatchObject({ code: 'TASK_NOT_OPEN' })
      const before = balances(own)
      const { state, status } = await own.market.withdraw(worker, job.taskId, 'I am ill.')
      expect([state, status]).toEqual(['withdrawn', 'published'])
      expect(gained(before, own)).toEqual([0n, mode === 'fase1' ? 0n : 10_000_000n, 0n])
      const task = await own.market.readTask(publisher, job.taskId)
      expect([task.executorId, task.escrowTx]).toEqual([null, null])
      await expect(assignJob(own, job)).rejects.toThrow(refusedWith('WORKER_NOT_APPLIED'))
      const { executorId } = await own.market.apply(other, job.taskId, { executorId: null, message: null })
      const paymentAuth =
        mode === 'fase1'
          ? null
          : JSON.stringify((await own.market.assignChallenge(publisher, job.taskId, executorId)).envelope)
      expect((await assignJob(own, { taskId: job.taskId, executorId, paymentAuth })).state).toBe('accepted')
      const { submission } = await own.market.submit(other, job.taskId, {
        executorId: null,
        evidence: { text_response: 'Here it is.' },
        notes: null,
        deviceMetadata: null,
      })
      await own.market.approve(publisher, submission.id, await approval(own, submission.id))
      await untilQuiet(own)
      expect(own.chain.balance(other.wallet)).toBe(8_700_000n)
      expect(await ledgerDisagreements(own)).toEqual([])
    },
  )

  test('only the assigned worker steps down, and not once a submission is in review', async () => {
    const job = await acceptedJob(stage)
    for (const caller of [publisher, other])
      await expect(stage.market.withdraw(caller, job.taskId, null)).rejects.toThrow(refusedWith('FORBIDDEN'))
    const submitted = await submittedJob(stage)
    await expect(stage.market.withdraw(worker, submitted.taskId, null)).rejects.toThrow(
      refusedWith('TASK_NOT_WITHDRAWABLE'),
    )
  })

  test('a worker asked for changes may step down', async () => {
    const job = await submittedJob(stage)
    await stage.market.requestChanges(publisher, job.submissionId, 'Closer, please.')
    expect((await stage.market.withdraw(worker, job.taskId, null)).status).toBe('published')
  })

  test('a refund in doubt keeps the task shut until the reconciler knows', async () => {
    const job = await acceptedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
    expect((await stage.market.withdraw(worker, job.taskId, null)).state).toBe('withdrawing')
    await expect(
      stage.market.submit(worker, job.taskId, {
        executorId: null,
        evidence: { text_response: 'Late.' },
        notes: null,
        deviceMetadata: null,
      }),
    ).rejects.toThrow(refusedWith('TASK_NOT_SUBMITTABLE'))
    await expect(stage.market.cancel(publisher, job.taskId, null)).rejects.toThrow(refusedWith('APPROVAL_IN_FLIGHT'))
    stage.chain.fault = () => 'none'
    await untilQuiet(stage)
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('published')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})
