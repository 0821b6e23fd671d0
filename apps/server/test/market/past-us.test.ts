import type { Payment } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  findings,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

/**
 * The escrow belongs to its payer as much as to us. Whatever the payer does with it on chain, in whatever mixture: what
 * is still capturable is settled, every movement is booked with its own transaction, and the task ends (decision 0082).
 */

const admin = { kind: 'anonymous' } as const
const dust = 1n
const whole = 10_000_000n
const refusedWith = (code: string) => expect.objectContaining({ code }) as Error

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

type Held = { readonly taskId: string; readonly executorId: string; readonly payment: Payment; readonly hash: string }

async function heldBy(taskId: string, executorId: string): Promise<Held> {
  const payment = await stage.store.escrowPayment(taskId)
  if (payment === null) throw new Error('an assigned task has its payment')
  return { taskId, executorId, payment, hash: payment.hash }
}

async function assigned(): Promise<Held> {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  return heldBy(job.taskId, job.executorId)
}

async function submitted(): Promise<Held & { readonly submissionId: string }> {
  const job = await submittedJob(stage)
  return { ...(await heldBy(job.taskId, job.executorId)), submissionId: job.submissionId }
}

async function disputed(): Promise<Held & { readonly disputeId: string }> {
  const job = await submitted()
  const dispute = await stage.market.openDispute(worker, job.submissionId, {
    reason: 'other',
    description: 'We do not agree.',
  })
  return { ...job, disputeId: dispute.id }
}

/** What the escrow told of a payment, and what the books say: each with the transaction of its own. */
async function expectBooked({ taskId, hash }: Held): Promise<void> {
  expect(await ledgerDisagreements(stage)).toEqual([])
  const onChain = stage.chain.movements.filter((one) => one.hash === hash)
  const { rows } = await stage.pool.query<{ tx_hash: string; kind: string }>(
    'select tx_hash, kind from movements where hash = $1 order by block_number',
    [hash],
  )
  expect(rows.map(({ tx_hash, kind }) => `${kind} ${tx_hash}`)).toEqual(
    onChain.map(({ txHash, kind }) => `${kind} ${txHash}`),
  )
  const events = await paymentEventsOf(stage, taskId)
  for (const { txHash } of onChain)
    expect(events).toContainEqual(expect.objectContaining({ txHash, status: 'success' }))
  expect(events.filter(({ status }) => status === 'in_doubt')).toEqual([])
}

const stateOf = async (taskId: string): Promise<string> => {
  const { status, escrowStatus } = await stage.market.readTask(publisher, taskId)
  return `${status}/${escrowStatus}`
}
const balances = () => ({ worker: stage.chain.balance(worker.wallet), payer: stage.chain.balance(publisher.wallet) })
const gained = (before: ReturnType<typeof balances>) => [
  stage.chain.balance(worker.wallet) - before.worker,
  stage.chain.balance(publisher.wallet) - before.payer,
]
const rest = whole - dust
const payoutOf = (atomic: bigint): bigint => atomic - (atomic * 1_300n) / 10_000n

describe('a payer releases one atomic unit on chain, past the service', () => {
  test('approve pays what is left, on a challenge that names it', async () => {
    const before = balances()
    const job = await submitted()
    stage.chain.capture(job.hash, dust)
    const { typedData } = await stage.market.releaseChallenge(publisher, job.taskId)
    expect(typedData).toEqual({ amount: rest.toString() })
    const outcome = await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    expect(outcome).toMatchObject({ state: 'approved', paymentTx: stage.chain.movements.at(-1)?.txHash })
    await untilQuiet(stage)
    expect(await stateOf(job.taskId)).toBe('completed/released')
    expect(gained(before)).toEqual([dust + payoutOf(rest), -whole])
    await expectBooked(job)
    expect(await findings(stage)).toEqual([])
  })

  test('an order that was signed for the bounty before is refused, and the submission stays approvable', async () => {
    const job = await submitted()
    const signed = await approval(stage, job.submissionId)
    stage.chain.capture(job.hash, dust)
    await expect(stage.market.approve(publisher, job.submissionId, signed)).rejects.toThrow(
      refusedWith('LIFECYCLE_ORDER_INVALID'),
    )
    expect(await stateOf(job.taskId)).toBe('verifying/authorized')
    await expectBooked(job)
    expect(
      (await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))).state,
    ).toBe('approved')
    await untilQuiet(stage)
    expect(await stateOf(job.taskId)).toBe('completed/released')
    await expectBooked(job)
  })

  test('cancel returns the rest', async () => {
    const job = await assigned()
    const before = balances()
    stage.chain.capture(job.hash, dust)
    expect(await stage.market.cancel(publisher, job.taskId, null)).toMatchObject({
      state: 'cancelled',
      refundTx: stage.chain.movements.at(-1)?.txHash,
    })
    expect(gained(before)).toEqual([dust, rest])
    expect(await stateOf(job.taskId)).toBe('cancelled/refunded')
    await expectBooked(job)
  })

  test('the worker steps down, the rest goes back and the task is open again', async () => {
    const job = await assigned()
    const before = balances()
    stage.chain.capture(job.hash, dust)
    expect(await stage.market.withdraw(worker, job.taskId, null)).toMatchObject({
      state: 'withdrawn',
      status: 'published',
    })
    expect(gained(before)).toEqual([dust, rest])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('the deadline passes, the task expires and the rest goes back', async () => {
    const job = await submitted()
    const before = balances()
    stage.chain.capture(job.hash, dust)
    stage.clock.advance(25 * 3_600_000)
    await stage.market.duties.expire()
    await untilQuiet(stage)
    expect(gained(before)).toEqual([dust, rest])
    expect(await stateOf(job.taskId)).toBe('expired/refunded')
    await expectBooked(job)
  })

  test.each([
    [
      'a release pays the rest',
      { verdict: 'release', splitPct: null },
      dust + payoutOf(rest),
      0n,
      'completed/released',
    ],
    ['a refund returns the rest', { verdict: 'refund', splitPct: null }, dust, rest, 'cancelled/refunded'],
    [
      'a split in halves counts what the worker has',
      { verdict: 'split', splitPct: 50 },
      dust + payoutOf(whole / 2n - dust),
      whole / 2n,
      'completed/released',
    ],
  ] as const)('%s', async (_what, verdict, paid, back, state) => {
    const job = await disputed()
    const before = balances()
    stage.chain.capture(job.hash, dust)
    expect(
      (await stage.market.resolveDispute(admin, job.disputeId, { ...verdict, reason: 'As it was seen.' })).state,
    ).toBe('resolved')
    await untilQuiet(stage)
    expect(gained(before)).toEqual([paid, back])
    expect(await stateOf(job.taskId)).toBe(state)
    await expectBooked(job)
  })

  test('the operator forces the task away, and the rest goes back', async () => {
    const job = await assigned()
    const before = balances()
    stage.chain.capture(job.hash, dust)
    await stage.market.forceTask(job.taskId, 'cancelled', { reason: 'Asked for by both.', requestId: 'r', actor: 'a' })
    await untilQuiet(stage)
    expect(gained(before)).toEqual([dust, rest])
    expect(await stateOf(job.taskId)).toBe('cancelled/refunded')
    await expectBooked(job)
  })

  test.each(['approve', 'release', 'split', 'cancel'] as const)(
    'between the claim of %s and its payment: the payment is what is left',
    async (how) => {
      const job = how === 'cancel' ? await assigned() : how === 'approve' ? await submitted() : await disputed()
      let isDone = false
      stage.chain.fault = (method) => {
        if (method === 'send' && !isDone) {
          isDone = true
          stage.chain.capture(job.hash, dust)
        }
        return 'none'
      }
      const submissionId = 'submissionId' in job ? String(job.submissionId) : ''
      if (how === 'approve')
        await expect(
          stage.market.approve(publisher, submissionId, await approval(stage, submissionId)),
        ).rejects.toThrow(refusedWith('LIFECYCLE_ORDER_INVALID'))
      else if (how === 'cancel') await stage.market.cancel(publisher, job.taskId, null)
      else
        await stage.market.resolveDispute(admin, 'disputeId' in job ? String(job.disputeId) : '', {
          verdict: how,
          splitPct: how === 'split' ? 20 : null,
          reason: 'As it was seen.',
        })
      stage.chain.fault = () => 'none'
      if (how === 'approve') await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
      await untilQuiet(stage)
      expect(stage.chain.capturable(job.hash)).toBe(0n)
      expect(await stateOf(job.taskId)).toBe(how === 'cancel' ? 'cancelled/refunded' : 'completed/released')
      await expectBooked(job)
      expect(await findings(stage)).toEqual([])
    },
  )
})

describe('a payer settles by himself', () => {
  test('what was paid out whole is approved by his approval, without paying twice', async () => {
    const job = await submitted()
    const before = balances()
    stage.chain.payOut(job.hash)
    expect(
      await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId)),
    ).toMatchObject({ state: 'approved', paymentTx: stage.chain.movements.at(-1)?.txHash })
    await untilQuiet(stage)
    expect(gained(before)).toEqual([8_700_000n, 0n])
    expect(await stateOf(job.taskId)).toBe('completed/released')
    await expectBooked(job)
  })

  test('a split of which he paid the share of the worker returns the rest', async () => {
    const job = await disputed()
    const before = balances()
    stage.chain.capture(job.hash, 7_000_000n)
    expect(
      (
        await stage.market.resolveDispute(admin, job.disputeId, {
          verdict: 'split',
          splitPct: 50,
          reason: 'As it was seen.',
        })
      ).state,
    ).toBe('resolved')
    await untilQuiet(stage)
    expect(gained(before)).toEqual([payoutOf(7_000_000n), 3_000_000n])
    expect(await stateOf(job.taskId)).toBe('completed/released')
    await expectBooked(job)
  })

  test('an earlier payment of the same amount is not taken for the award', async () => {
    const job = await disputed()
    const before = balances()
    stage.chain.capture(job.hash, 4_000_000n)
    // The worker's 80 % less the 40 that were paid are 40 again.
    await stage.market.resolveDispute(admin, job.disputeId, {
      verdict: 'split',
      splitPct: 20,
      reason: 'As it was seen.',
    })
    await untilQuiet(stage)
    expect(gained(before)).toEqual([2n * payoutOf(4_000_000n), 2_000_000n])
    await expectBooked(job)
  })

  test.each([[['capture', 'reclaim']], [['capture', 'capture', 'refund', 'reclaim']], [['payOut', 'refund']]] as const)(
    '%j and then the deadline: each booked with its own transaction, and the task is over',
    async (acts) => {
      const job = await submitted()
      for (const act of acts) {
        if (act === 'capture') stage.chain.capture(job.hash, 2_500_000n)
        else if (act === 'refund') stage.chain.refund(job.hash, 1_000_000n)
        else stage.chain[act](job.hash)
      }
      stage.clock.advance(25 * 3_600_000)
      await stage.market.duties.expire()
      await untilQuiet(stage)
      expect(await stateOf(job.taskId)).toBe(acts[0] === 'payOut' ? 'expired/released' : 'expired/refunded')
      await expectBooked(job)
      expect(await findings(stage)).toEqual([])
    },
  )

  test.each(['cancel', 'withdraw'] as const)('after he reclaimed, %s goes on without the service', async (how) => {
    const job = await assigned()
    stage.chain.reclaim(job.hash)
    const done =
      how === 'cancel'
        ? await stage.market.cancel(publisher, job.taskId, null)
        : await stage.market.withdraw(worker, job.taskId, null)
    expect(done).toMatchObject({
      refundTx: stage.chain.movements.at(-1)?.txHash,
      status: how === 'cancel' ? 'cancelled' : 'published',
    })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

describe('a signature that its payer uses himself', () => {
  async function signed(): Promise<{
    readonly job: Awaited<ReturnType<typeof appliedJob>>
    readonly past: { readonly hash: string; readonly payer: string; readonly receiver: string }
  }> {
    const job = await appliedJob(stage)
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    return { job, past: { hash, payer: publisher.wallet, receiver: worker.wallet } }
  }

  test('through charge ends the assignment, and the charge is booked', async () => {
    const { job, past } = await signed()
    stage.chain.charge(past, whole)
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    await untilQuiet(stage)
    expect(await stateOf(job.taskId)).toBe('published/pending_assignment')
    await expectBooked({ ...job, payment: undefined as unknown as Payment, hash: past.hash })
  })

  test('through charge, while the lock is in doubt, ends it without the facilitator', async () => {
    const { job, past } = await signed()
    stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    stage.chain.fault = (method) => (method === 'send' ? 'unavailable' : 'none')
    stage.chain.charge(past, whole)
    await untilQuiet(stage)
    stage.chain.fault = () => 'none'
    expect(await stateOf(job.taskId)).toBe('published/pending_assignment')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('for less than the bounty is no assignment, and what it holds goes back', async () => {
    const { job, past } = await signed()
    const before = balances()
    stage.chain.authorize(past, 4_000_000n)
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    await untilQuiet(stage)
    await untilQuiet(stage)
    expect(gained(before)).toEqual([0n, 0n])
    expect(await stateOf(job.taskId)).toBe('published/pending_assignment')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

// Last: its bounty stays held, and nobody ends it.
test('a payer locks the whole bounty itself: its worker is assigned on that lock, which is booked once', async () => {
  const job = await appliedJob(stage)
  const { hash } = JSON.parse(job.paymentAuth ?? '') as { readonly hash: string }
  stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, whole)
  await assignJob(stage, job)
  await untilQuiet(stage)
  expect(await stateOf(job.taskId)).toBe('accepted/authorized')
  expect(stage.chain.capturable(hash)).toBe(whole)
  await expectBooked(await heldBy(job.taskId, job.executorId))
})
