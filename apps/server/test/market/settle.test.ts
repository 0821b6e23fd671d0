import { plainSignature } from '@ergon/core/testing'
import { createMarket } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, offer, refusedWith, rule } from './settle-stage.ts'
import {
  appliedJob,
  approval,
  arbiter,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

const stranger = { ...arbiter, wallet: '0x6666666666666666666666666666666666666666', agentId: 6 }
const hourMs = 3_600_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

const acceptedJob = async (at: Stage = stage) => {
  const job = await appliedJob(at)
  await assignJob(at, job)
  return job
}

async function rejectedJob(at: Stage = stage) {
  const job = await submittedJob(at)
  const { dispute } = await at.market.reject(publisher, job.submissionId, { reason: 'Too dark.', criteria: ['Light'] })
  return { ...job, disputeId: dispute.id }
}

function balances({ chain }: Stage = stage) {
  return { worker: chain.balance(worker.wallet), payer: chain.balance(publisher.wallet) }
}

function gained(before: ReturnType<typeof balances>, at: Stage = stage): readonly bigint[] {
  const after = balances(at)
  return [after.worker - before.worker, after.payer - before.payer]
}

const statusOf = async (taskId: string, at: Stage = stage) => (await at.store.task(taskId))?.status

describe('the parties settle between themselves (decision 0167)', () => {
  test.each([
    ['all of it to the worker', '10', [8_700_000n, 0n], 'completed', 'release'],
    ['a part each', '4', [3_480_000n, 6_000_000n], 'completed', 'split'],
    ['all of it back', '0', [0n, 10_000_000n], 'cancelled', 'refund'],
  ] as const)('in a dispute: %s, and no operator', async (_says, share, moves, status, verdict) => {
    for (const [from, to] of [
      [publisher, worker],
      [worker, publisher],
    ] as const) {
      const job = await rejectedJob()
      const before = balances()
      const { id } = await offer(stage, from, job.taskId, share)
      expect((await accept(stage, to, id)).state).toBe('settled')
      await untilQuiet(stage)
      expect(gained(before)).toEqual(moves)
      expect(await statusOf(job.taskId)).toBe(status)
      expect(await stage.market.readDispute(worker, job.disputeId)).toMatchObject({
        status: 'resolved',
        resolution: { verdict },
      })
    }
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a job is called off and pays for the way', async () => {
    const job = await acceptedJob()
    const before = balances()
    const { id } = await offer(stage, publisher, job.taskId, '1')
    expect((await accept(stage, worker, id)).state).toBe('settled')
    await untilQuiet(stage)
    expect(gained(before)).toEqual([870_000n, 9_000_000n])
    expect(await stage.store.task(job.taskId)).toMatchObject({ status: 'cancelled', escrowStatus: 'released' })
  })

  test('a payer who accepts with the words alone pays the same as one who sends its own release order', async () => {
    const paid = async (ownOrder: boolean) => {
      const job = await rejectedJob()
      const before = balances()
      const { id, words } = await offer(stage, worker, job.taskId, '4')
      const signature = plainSignature(publisher.wallet, words.nonce)
      const { state } = ownOrder
        ? await accept(stage, publisher, id)
        : await stage.market.acceptOffer(publisher, id, { signature, order: null, payments: null })
      expect(state).toBe('settled')
      await untilQuiet(stage)
      return gained(before)
    }
    expect([await paid(false), await paid(true)]).toEqual([
      [3_480_000n, 6_000_000n],
      [3_480_000n, 6_000_000n],
    ])
  })

  test('whose turn it is says who has an offer to answer, and until when', async () => {
    const job = await rejectedJob()
    const { id, expiresAt } = await offer(stage, worker, job.taskId, '4', 1)
    const turn = async () => (await stage.store.task(job.taskId))?.turn
    expect(await turn()).toEqual({ kind: 'offer', of: 'publisher', untilMs: expiresAt.getTime() })
    await stage.market.closeOffer(publisher, id)
    expect(await turn()).toBeNull()
  })

  test('an offer is accepted once, however many accept it at once', async () => {
    const job = await rejectedJob()
    const before = balances()
    const { id } = await offer(stage, worker, job.taskId, '4')
    const { offer: of, release } = await stage.market.acceptChallenge(publisher, id)
    const order = {
      signer: publisher.wallet,
      deadline: release?.deadline ?? 0,
      nonce: release?.nonce ?? '',
      signature: '0x',
    }
    const signature = `${publisher.wallet} signs ${of.words.nonce}`
    const tries = Array.from({ length: 5 }, () =>
      stage.market.acceptOffer(publisher, id, { signature, order, payments: null }),
    )
    const ended = await Promise.allSettled(tries)
    expect(ended.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    await untilQuiet(stage)
    expect(gained(before)).toEqual([3_480_000n, 6_000_000n])
    await expect(accept(stage, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN', { status: 'settled' }))
  })

  test('is refused to who made it, to strangers, with another signature, after its end, and once withdrawn', async () => {
    const job = await rejectedJob()
    const first = await offer(stage, worker, job.taskId, '4', 1)
    await expect(accept(stage, worker, first.id)).rejects.toEqual(refusedWith('FORBIDDEN'))
    await expect(accept(stage, stranger, first.id)).rejects.toEqual(refusedWith('FORBIDDEN'))
    await expect(
      stage.market.acceptOffer(publisher, first.id, { signature: 'mine', order: null, payments: null }),
    ).rejects.toEqual(refusedWith('INVALID_SIGNATURE', { network: expect.any(String), required_usdc: 4 }))
    stage.clock.advance(hourMs + 1)
    await expect(accept(stage, publisher, first.id)).rejects.toEqual(
      refusedWith('OFFER_NOT_OPEN', { status: 'expired' }),
    )
    const second = await offer(stage, worker, job.taskId, '4')
    expect(await stage.market.closeOffer(worker, second.id)).toMatchObject({ status: 'withdrawn' })
    await expect(accept(stage, publisher, second.id)).rejects.toEqual(
      refusedWith('OFFER_NOT_OPEN', { status: 'withdrawn' }),
    )
    const third = await offer(stage, worker, job.taskId, '4')
    expect(await stage.market.closeOffer(publisher, third.id)).toMatchObject({ status: 'refused' })
    expect(stage.chain.capturable((await stage.store.escrowPayment(job.taskId))?.hash ?? '')).toBe(10_000_000n)
  })

  test('what the payer moved past us makes the offer void, and a new one divides what is left', async () => {
    const job = await rejectedJob()
    const { id } = await offer(stage, worker, job.taskId, '4')
    const payment = await stage.store.escrowPayment(job.taskId)
    if (payment === null) throw new Error('nothing is held')
    stage.chain.capture(payment.hash, 2_000_000n)
    await expect(accept(stage, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN', { held: '8000000' }))
    const before = balances()
    const again = await offer(stage, worker, job.taskId, '3')
    await accept(stage, publisher, again.id)
    await untilQuiet(stage)
    expect(gained(before)).toEqual([2_610_000n, 5_000_000n])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a side has one open offer, and a task takes twenty', async () => {
    const job = await rejectedJob()
    const first = await offer(stage, worker, job.taskId, '4')
    for (let count = 1; count < 20; count += 1) await offer(stage, worker, job.taskId, '5')
    expect((await stage.market.offers(publisher, job.taskId)).filter(({ status }) => status === 'open')).toHaveLength(1)
    expect(await stage.market.readOffer(worker, first.id)).toMatchObject({ status: 'withdrawn' })
    // No time makes room for another, so nobody is told to come again (spec §7).
    await expect(offer(stage, worker, job.taskId, '6')).rejects.toEqual(
      refusedWith('OFFER_NOT_OPEN', { offers_max: 20 }),
    )
  })

  test('a publisher who rejected may still approve', async () => {
    const job = await rejectedJob()
    const before = balances()
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    expect(gained(before)).toEqual([8_700_000n, 0n])
    expect(await statusOf(job.taskId)).toBe('completed')
    expect(await stage.market.readDispute(worker, job.disputeId)).toMatchObject({
      status: 'resolved',
      resolution: { verdict: 'release' },
    })
  })

  test('a policy that asks for a criterion refuses a rejection without one', async () => {
    const job = await submittedJob(stage, { criteriaRequired: true })
    await expect(stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: [] })).rejects.toEqual(
      refusedWith('VALIDATION_FAILED', { field: 'criteria' }),
    )
    await stage.market.reject(publisher, job.submissionId, { reason: 'No.', criteria: ['The gate is on it.'] })
  })
})

describe('an arbiter with a wallet (decision 0168)', () => {
  const split = { verdict: 'split', splitPct: 40 } as const

  test('rules; a day later, and not before, the money moves as the ruling says', async () => {
    const job = await rejectedJob()
    const before = balances()
    const ruling = await rule(stage, arbiter, job.disputeId, split)
    expect(ruling).toMatchObject({ status: 'standing', arbiter: arbiter.wallet, criteria: ['The gate is on it.'] })
    stage.clock.advance(23 * hourMs)
    await stage.market.duties.runTimers()
    expect(gained(before)).toEqual([0n, 0n])
    stage.clock.advance(hourMs + 1)
    await stage.market.duties.runTimers()
    await untilQuiet(stage)
    expect(gained(before)).toEqual([5_220_000n, 4_000_000n])
    stage.clock.advance(hourMs)
    await stage.market.duties.runTimers()
    expect(await stage.market.readRuling(worker, job.disputeId)).toMatchObject({ status: 'executed' })
  })

  test("the operator's clock shortens the day of appeal, and whose turn it is says so", async () => {
    const { deps } = stage
    const local = createMarket({ ...deps, networks: deps.networks.map((one) => ({ ...one, isLocal: true })) })
    const job = await rejectedJob()
    const before = balances()
    const { appealUntil } = await rule(stage, arbiter, job.disputeId, split)
    const task = await local.elapse(job.taskId, 24, { actor: 'operator', reason: 'A test.', requestId: 'r' })
    expect(task.turn).toEqual({ kind: 'ruling', untilMs: appealUntil.getTime() - 24 * hourMs })
    stage.clock.advance(1)
    await stage.market.duties.runTimers()
    await untilQuiet(stage)
    expect(gained(before)).toEqual([5_220_000n, 4_000_000n])
  })

  test('a chain that is away does not un-judge a dispute', async () => {
    const job = await rejectedJob()
    const before = balances()
    await rule(stage, arbiter, job.disputeId, { verdict: 'release', splitPct: null })
    stage.clock.advance(24 * hourMs + 1)
    stage.chain.fault = () => 'unavailable'
    await stage.market.duties.runTimers()
    stage.chain.fault = () => 'none'
    expect(gained(before)).toEqual([0n, 0n])
    expect(await stage.market.readRuling(worker, job.disputeId)).toMatchObject({ status: 'standing' })
    stage.clock.advance(hourMs)
    await stage.market.duties.runTimers()
    await untilQuiet(stage)
    expect(gained(before)).toEqual([8_700_000n, 0n])
  })

  test('an appeal takes it to the operator, once, and the ruling is not carried out', async () => {
    const job = await rejectedJob()
    await rule(stage, arbiter, job.disputeId, { verdict: 'refund', splitPct: null })
    const operator = { verdict: 'release', splitPct: null, reason: 'It is there.' } as const
    await expect(stage.market.resolveDispute({ kind: 'anonymous' }, job.disputeId, operator)).rejects.toEqual(
      refusedWith('DISPUTE_NOT_OPEN'),
    )
    expect(await stage.market.appeal(worker, job.disputeId, 'It is there.')).toMatchObject({
      status: 'appealed',
      appealedBy: 'worker',
    })
    await expect(stage.market.appeal(publisher, job.disputeId, 'No.')).rejects.toEqual(refusedWith('DISPUTE_NOT_OPEN'))
    expect((await stage.market.readTask(publisher, job.taskId)).turn).toEqual({ kind: 'appealed' })
    stage.clock.advance(24 * hourMs + 1)
    await stage.market.duties.runTimers()
    expect(await statusOf(job.taskId)).toBe('disputed')
    const before = balances()
    await stage.market.resolveDispute({ kind: 'anonymous' }, job.disputeId, operator)
    expect(gained(before)).toEqual([8_700_000n, 0n])
  })

  test('is refused to the parties, to their kin, to whoever nobody named, and twice', async () => {
    const job = await rejectedJob()
    await expect(rule(stage, publisher, job.disputeId, split)).rejects.toEqual(refusedWith('FORBIDDEN'))
    await expect(rule(stage, worker, job.disputeId, split)).rejects.toEqual(refusedWith('FORBIDDEN'))
    await expect(rule(stage, { ...arbiter, agentId: 1 }, job.disputeId, split)).rejects.toEqual(
      refusedWith('FORBIDDEN'),
    )
    await expect(rule(stage, stranger, job.disputeId, split)).rejects.toEqual(refusedWith('ARBITER_UNKNOWN'))
    await rule(stage, arbiter, job.disputeId, split)
    await expect(rule(stage, arbiter, job.disputeId, split)).rejects.toEqual(refusedWith('DISPUTE_NOT_OPEN'))
  })

  test('after it nothing is settled and nothing approved', async () => {
    const job = await rejectedJob()
    const { id } = await offer(stage, worker, job.taskId, '4')
    const signed = await approval(stage, job.submissionId)
    await rule(stage, arbiter, job.disputeId, split)
    await expect(accept(stage, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
    await expect(offer(stage, worker, job.taskId, '5')).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
    const decided = refusedWith('DISPUTE_NOT_OPEN')
    await expect(stage.market.approve(publisher, job.submissionId, signed)).rejects.toEqual(decided)
    // Nor is it signed for (decision 0346).
    await expect(approval(stage, job.submissionId)).rejects.toEqual(decided)
  })

  test('what an arbiter reads leaves a line in the audit log', async () => {
    const job = await rejectedJob()
    await stage.market.readDispute(arbiter, job.disputeId)
    await stage.market.readSubmission(arbiter, job.submissionId)
    await expect(stage.market.readDispute(stranger, job.disputeId)).rejects.toEqual(refusedWith('FORBIDDEN'))
    const { rows } = await stage.pool.query<{ actor: string; after: { readonly what: string } }>(
      "select actor, after from audit_log where action = 'dispute.read' and after->>'task_id' = $1 order by at, id",
      [job.taskId],
    )
    expect(rows.map(({ actor, after }) => [actor, after.what])).toEqual([
      [arbiter.wallet, 'dispute'],
      [arbiter.wallet, 'evidence'],
    ])
  })

  test('a policy names one of the list, and no other', async () => {
    await expect(submittedJob(stage, { arbiter: stranger.wallet })).rejects.toEqual(refusedWith('ARBITER_UNKNOWN'))
    const job = await submittedJob(stage, { arbiter: arbiter.wallet })
    expect((await stage.store.task(job.taskId))?.policy?.arbiter).toBe(arbiter.wallet)
  })
})

describe('in mode fase1, where nothing is held', () => {
  let direct: Stage
  beforeAll(async () => {
    direct = await openStage('fase1')
  })
  afterAll(() => direct[Symbol.asyncDispose]())

  test.each([
    ['the worker offers and the publisher pays as it accepts', worker, publisher],
    ['the publisher pays with its offer', publisher, worker],
  ] as const)('%s', async (_says, from, to) => {
    const job = await rejectedJob(direct)
    const before = balances(direct)
    const { id } = await offer(direct, from, job.taskId, '4')
    await accept(direct, to, id)
    await untilQuiet(direct)
    expect(gained(before, direct)).toEqual([3_480_000n, -4_000_000n])
    expect(await statusOf(job.taskId, direct)).toBe('completed')
  })

  test('an agreement that nothing is owed ends the task without money', async () => {
    const job = await acceptedJob(direct)
    const { id } = await offer(direct, publisher, job.taskId, '0')
    expect((await accept(direct, worker, id)).state).toBe('settled')
    expect(await statusOf(job.taskId, direct)).toBe('cancelled')
  })

  test('work that nobody handed in is not paid by an agreement', async () => {
    const job = await acceptedJob(direct)
    const { id } = await offer(direct, worker, job.taskId, '1')
    await expect(accept(direct, publisher, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
  })

  test('a release verdict is what the publisher owes, and it pays by approving', async () => {
    const job = await rejectedJob(direct)
    const verdict = { verdict: 'release', splitPct: null, reason: 'It is there.' } as const
    const { state } = await direct.market.resolveDispute({ kind: 'anonymous' }, job.disputeId, verdict)
    expect(state).toBe('resolving')
    expect((await direct.store.task(job.taskId))?.turn).toEqual({ kind: 'owed' })
    const before = balances(direct)
    await direct.market.approve(publisher, job.submissionId, await approval(direct, job.submissionId))
    await untilQuiet(direct)
    expect(gained(before, direct)).toEqual([8_700_000n, -10_000_000n])
    expect(await direct.market.readDispute(worker, job.disputeId)).toMatchObject({ status: 'resolved' })
  })
})
