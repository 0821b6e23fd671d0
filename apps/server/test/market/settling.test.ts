import { createMarket, type MarketDeps } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

/** What one settlement does when several hands work on it, and when its answers come late or never. */

const refusedWith = (code: string) => expect.objectContaining({ code }) as Error
const statusOf = async ({ market }: Stage, taskId: string): Promise<string> =>
  (await market.readTask(publisher, taskId)).status
const onSend = (stage: Stage, fault: ReturnType<Stage['chain']['fault']>): void => {
  stage.chain.fault = (method) => (method === 'send' ? fault : 'none')
}
const eventsOf = async ({ pool }: Stage, taskId: string): Promise<readonly string[]> =>
  (await pool.query<{ type: string }>('select type from outbox where task_id = $1 order by id', [taskId])).rows.map(
    ({ type }) => type,
  )

let processes = 90

/** Another process over the same database and chain, whose rail answers when and what the test says. */
function another(
  stage: Stage,
  send: (
    carryOut: () => ReturnType<ReturnType<MarketDeps['rails']>['send']>,
  ) => ReturnType<ReturnType<MarketDeps['rails']>['send']>,
) {
  const { rail } = stage.chain
  processes += 1
  return createMarket({
    ...stage.deps,
    ids: createTestIds(processes),
    rails: () => ({ ...rail, send: (order, wait, before) => send(() => rail.send(order, wait, before)) }),
  })
}

/** The lease of the first process is over, and this one takes its settlements up. */
async function takeUp(stage: Stage): Promise<void> {
  stage.clock.advance(9_000)
  await stage.market.duties.reconcile()
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

describe('of two processes with one settlement', () => {
  test.each(['assign', 'approve'] as const)('both see the same %s land, and it is written down once', async (what) => {
    const job = what === 'assign' ? await appliedJob(stage) : await submittedJob(stage)
    const slow = another(stage, async (carryOut) => {
      const answer = await carryOut()
      await takeUp(stage)
      return answer
    })
    if (what === 'assign') expect((await assignJob({ market: slow }, job)).state).toBe('accepted')
    else if ('submissionId' in job)
      expect(
        (await slow.approve(publisher, String(job.submissionId), await approval(stage, String(job.submissionId))))
          .state,
      ).toBe('approved')
    const events = await eventsOf(stage, job.taskId)
    expect(events.length).toBe(new Set(events).size)
    await untilQuiet(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test.each(['refused', 'unavailable'] as const)(
    'the first is told %s when the second has taken the settlement up: the word of the second counts',
    async (fault) => {
      const job = await appliedJob(stage)
      const slow = another(stage, async () => {
        onSend(stage, 'held')
        await takeUp(stage)
        onSend(stage, 'none')
        return fault === 'refused'
          ? { outcome: 'refused', code: 'LOCK_REVERTED', final: true, at: null }
          : { outcome: 'unavailable', sent: false }
      })
      expect((await assignJob({ market: slow }, job)).state).toBe('assigning')
      expect(await statusOf(stage, job.taskId)).toBe('assigning')
      expect(stage.chain.deliver()).toBe(1)
      await untilQuiet(stage)
      expect(await statusOf(stage, job.taskId)).toBe('accepted')
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )

  test('the first learns nothing when the second has taken the settlement up: it does not put the second off', async () => {
    const job = await appliedJob(stage)
    const dueOf = async (): Promise<unknown> =>
      (await stage.pool.query('select status, due_at from settlements where task_id = $1', [job.taskId])).rows
    let due: unknown
    const slow = another(stage, async () => {
      onSend(stage, 'held')
      await takeUp(stage)
      onSend(stage, 'none')
      due = await dueOf()
      stage.clock.advance(1)
      return { outcome: 'unknown' }
    })
    expect((await assignJob({ market: slow }, job)).state).toBe('assigning')
    expect(await dueOf()).toEqual(due)
    stage.chain.deliver()
    await untilQuiet(stage)
    expect(await statusOf(stage, job.taskId)).toBe('accepted')
  })

  test('the first is told no after the second gave the claim back: it is given back once', async () => {
    const job = await appliedJob(stage)
    const slow = another(stage, async () => {
      onSend(stage, 'refused')
      await takeUp(stage)
      onSend(stage, 'none')
      return { outcome: 'refused', code: 'LOCK_REVERTED', final: true, at: null }
    })
    await expect(assignJob({ market: slow }, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    expect((await eventsOf(stage, job.taskId)).filter((type) => type === 'task.assign_failed')).toEqual([
      'task.assign_failed',
    ])
    expect(await statusOf(stage, job.taskId)).toBe('published')
  })
})

describe('a facilitator that says no for good', () => {
  test.each([
    ['assign', 'accepted'],
    ['approve', 'completed'],
  ] as const)('though the money moved, is not believed at %s: the chain is read first', async (what, status) => {
    const job = what === 'assign' ? await appliedJob(stage) : await submittedJob(stage)
    onSend(stage, 'refused though it landed')
    if (what === 'assign') expect((await assignJob(stage, job)).state).toBe('accepted')
    else if ('submissionId' in job)
      expect(
        (
          await stage.market.approve(
            publisher,
            String(job.submissionId),
            await approval(stage, String(job.submissionId)),
          )
        ).state,
      ).toBe('approved')
    onSend(stage, 'none')
    expect(await statusOf(stage, job.taskId)).toBe(status)
    await untilQuiet(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('is not believed while the chain cannot be read', async () => {
    const job = await appliedJob(stage)
    let isSent = false
    stage.chain.fault = (method) => {
      isSent ||= method === 'send'
      return method === 'send' ? 'refused' : isSent ? 'unreadable' : 'none'
    }
    expect((await assignJob(stage, job)).state).toBe('assigning')
    onSend(stage, 'refused')
    await untilQuiet(stage)
    expect(await statusOf(stage, job.taskId)).toBe('published')
    onSend(stage, 'none')
  })
})

describe('a facilitator that is away', () => {
  test('at the first attempt, before a byte was sent, gives the claim back', async () => {
    const job = await appliedJob(stage)
    onSend(stage, 'unavailable')
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('SETTLEMENT_FAILED'))
    onSend(stage, 'none')
    expect(await statusOf(stage, job.taskId)).toBe('published')
  })

  test('at a later attempt says nothing of the first, which may still land', async () => {
    const job = await appliedJob(stage)
    onSend(stage, 'held')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    onSend(stage, 'unavailable')
    await takeUp(stage)
    expect(await statusOf(stage, job.taskId)).toBe('assigning')
    onSend(stage, 'none')
    expect(stage.chain.deliver()).toBe(1)
    await untilQuiet(stage)
    expect(await statusOf(stage, job.taskId)).toBe('accepted')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

describe('the deadline of a task', () => {
  const day = 24 * 3_600_000

  test.each([
    ['a millisecond before it', day - 1, null],
    ['at it', day, 'DEADLINE_PASSED'],
    ['after it', day + 1, 'DEADLINE_PASSED'],
  ] as const)('%s, apply and assign answer so', async (_when, ms, code) => {
    const early = await appliedJob(stage)
    const late = await appliedJob(stage)
    stage.clock.advance(ms)
    const other = { ...worker, wallet: `0x${String(ms).padStart(40, '5')}`, agentId: 50 }
    const outcome = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => null,
        (error: unknown) => (error as { code: string }).code,
      )
    expect(await outcome(stage.market.apply(other, early.taskId, { executorId: null, message: null }))).toBe(code)
    const { paymentAuth } = await stage.market.assignChallenge(publisher, late.taskId, late.executorId).then(
      ({ envelope }) => ({ paymentAuth: JSON.stringify(envelope) }),
      () => late,
    )
    expect(
      await outcome(
        stage.market.assign(publisher, late.taskId, { executorId: late.executorId, notes: null, paymentAuth }),
      ),
    ).toBe(code)
    expect(await outcome(stage.market.assignChallenge(publisher, early.taskId, early.executorId))).toBe(code)
  })
})

describe('a payer', () => {
  const payer = { kind: 'wallet', wallet: `0x${'7a'.repeat(20)}`, agentId: null, via: 'signature' } as const

  async function jobOf(market: Stage['market']) {
    const { task } = await market.publish(payer, {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'research',
      bountyUsd: '7.5',
      deadlineHours: 1,
      evidenceRequired: ['text_response'],
      evidenceOptional: [],
      locationHint: null,
      minReputation: 0,
      network: null,
      token: null,
      target: 'any',
      publisherType: 'agent',
      paymentAuth: null,
      idempotency: null,
    })
    const { executorId } = await market.apply(worker, task.id, { executorId: null, message: null })
    const { envelope } = await market.assignChallenge(payer, task.id, executorId)
    return { taskId: task.id, input: { executorId, notes: null, paymentAuth: JSON.stringify(envelope) } }
  }

  test('with one atomic unit less than the bounty is refused, and with exactly the bounty pays', async () => {
    const { taskId, input } = await jobOf(stage.market)
    stage.chain.fund(payer.wallet, 7_499_999n - stage.chain.balance(payer.wallet))
    await expect(stage.market.assign(payer, taskId, input)).rejects.toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_FUNDS',
        details: expect.objectContaining({
          required_usdc: 7.5,
          balance_usdc: 7.499999,
          wallet_address: payer.wallet,
        }) as unknown,
      }) as Error,
    )
    stage.chain.fund(payer.wallet, 1n)
    expect((await stage.market.assign(payer, taskId, input)).state).toBe('accepted')
    expect(stage.chain.balance(payer.wallet)).toBe(0n)
  })
})

describe('in mode fase1', () => {
  let direct: Stage
  beforeAll(async () => {
    direct = await openStage('fase1')
  })
  afterAll(() => direct[Symbol.asyncDispose]())

  test('a payout and a fee under one nonce are refused before anything is sent', async () => {
    const job = await submittedJob(direct)
    const input = await approval(direct, job.submissionId)
    const { nonce } = JSON.parse(input.payoutAuth ?? '') as { nonce: string }
    const feeAuth = JSON.stringify({ ...(JSON.parse(input.feeAuth ?? '') as object), nonce })
    const landings = direct.chain.landings.length
    await expect(direct.market.approve(publisher, job.submissionId, { ...input, feeAuth })).rejects.toThrow(
      expect.objectContaining({
        code: 'INVALID_PAYMENT_AUTH',
        details: { constraint: 'two different nonces' },
      }) as Error,
    )
    expect(direct.chain.landings.length).toBe(landings)
    expect((await direct.market.approve(publisher, job.submissionId, input)).state).toBe('approved')
    await untilQuiet(direct)
  })

  test.each(['payoutAuth', 'feeAuth'] as const)('an approval without its %s is refused', async (field) => {
    const job = await submittedJob(direct)
    const input = { ...(await approval(direct, job.submissionId)), [field]: null }
    await expect(direct.market.approve(publisher, job.submissionId, input)).rejects.toThrow(
      refusedWith('PAYMENT_AUTH_MISSING'),
    )
  })

  test('both payments have to be covered before either is sent', async () => {
    const job = await submittedJob(direct)
    const input = await approval(direct, job.submissionId)
    const balance = direct.chain.balance(publisher.wallet)
    direct.chain.fund(publisher.wallet, 9_999_999n - balance)
    await expect(direct.market.approve(publisher, job.submissionId, input)).rejects.toThrow(
      refusedWith('INSUFFICIENT_FUNDS'),
    )
    direct.chain.fund(publisher.wallet, 1n)
    expect((await direct.market.approve(publisher, job.submissionId, input)).state).toBe('approved')
    await untilQuiet(direct)
    expect(direct.chain.balance(publisher.wallet)).toBe(0n)
  })
})
