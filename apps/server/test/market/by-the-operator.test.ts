import { randomUUID } from 'node:crypto'
import { createMarket, type AdminAct } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  gateTask,
  openStage,
  publisher,
  submittedJob,
  worker,
  type Stage,
} from './stage.ts'

/** What the operator and the payer set off themselves: sweeps, decisions about reports, money taken back. */

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const act: AdminAct = { actor: 'ada', reason: 'because', requestId: 'r' }
const fee = 1_300_000n
const stranger = { ...worker, wallet: `0x${'9'.repeat(40)}` } as const

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())
beforeEach(() => {
  stage.chain.fault = () => 'none'
})

async function linesOf(action: string, subject: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await stage.pool.query<Record<string, unknown>>(
    'select actor, before, after from audit_log where action = $1 and subject = $2 order by id',
    [action, subject],
  )
  return rows
}

describe('fees that the operator sweeps', () => {
  const onSweep = (fault: ReturnType<Stage['chain']['fault']>): void => {
    stage.chain.fault = (method) => (method === 'sweep' ? fault : 'none')
  }
  const sweep = async (network: string | null, token: string | null) =>
    (await stage.market.sweepFees({ network, token }, act)).map(({ accrued, state, amount }) => [
      accrued.atomic,
      state,
      amount?.atomic ?? null,
    ])

  test('are those of the network and the token that were asked for, and each asking is in the log', async () => {
    const { submissionId } = await submittedJob(stage)
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
    expect(await sweep('localnet', 'EURC')).toEqual([])
    await expect(sweep('nowhere', 'USDC')).rejects.toThrow(refusedWith('NETWORK_NOT_ACCEPTED'))
    expect(await linesOf('fees.sweep', 'localnet:USDC')).toEqual([])

    onSweep('lost before')
    expect(await sweep(null, 'USDC')).toEqual([[fee, 'in flight', null]])
    onSweep('none')
    expect(await sweep('localnet', null)).toEqual([[fee, 'in flight', null]])
    stage.clock.advance(60_000)
    expect(await sweep(null, null)).toEqual([[fee, 'swept', fee]])
    expect(stage.chain.balance('treasury')).toBe(fee)
    expect(await sweep('localnet', 'USDC')).toEqual([])
    expect(await linesOf('fees.sweep', 'localnet:USDC')).toEqual(
      Array.from({ length: 3 }, () => ({
        actor: 'ada',
        before: { accrued_atomic: fee.toString() },
        after: { asked: true },
      })),
    )
  })
})

describe('a report that the operator decides (decision 0120)', () => {
  const reported = async (target: 'task' | 'worker', targetId: string): Promise<string> =>
    (await stage.market.report(publisher, { target, targetId, reason: 'spam', note: null })).id

  test('hides a task and shows it again, and a note leaves the decision', async () => {
    const { taskId } = await appliedJob(stage)
    const id = await reported('task', taskId)
    const decided = async (action: 'note' | 'hide' | 'show' | 'dismiss') => {
      const { state, isHidden, isBanned, operatorNote, decidedBy } = await stage.market.decideReport(id, action, act)
      return [state, isHidden, isBanned, operatorNote, decidedBy]
    }
    const because = ['because', 'ada']
    expect(await decided('note')).toEqual(['open', false, false, ...because])
    expect(await decided('hide')).toEqual(['hidden', true, false, ...because])
    expect(await decided('note')).toEqual(['hidden', true, false, ...because])
    expect(await decided('show')).toEqual(['open', false, false, ...because])
    expect(await decided('dismiss')).toEqual(['dismissed', false, false, ...because])
    expect(await linesOf('report.decide', id)).toMatchObject([
      { before: { state: 'open' }, after: { state: 'open', action: 'note', target: 'task', target_id: taskId } },
      { before: { state: 'open' }, after: { state: 'hidden', action: 'hide' } },
      { before: { state: 'hidden' }, after: { state: 'hidden', action: 'note' } },
      { before: { state: 'hidden' }, after: { state: 'open', action: 'show' } },
      { before: { state: 'open' }, after: { state: 'dismissed', action: 'dismiss' } },
    ])
  })

  test('bans whoever answers for it, once', async () => {
    const banned = { ...worker, wallet: `0x${'8'.repeat(40)}` } as const
    const { executorId } = await appliedJob(stage, banned)
    const id = await reported('worker', executorId)
    for (let times = 0; times < 2; times += 1)
      expect(await stage.market.decideReport(id, 'ban', act)).toMatchObject({ state: 'banned', isBanned: true })
    expect(await linesOf('wallet.ban', banned.wallet)).toEqual([
      { actor: 'ada', before: { banned: false }, after: { banned: true } },
    ])
  })

  test.each(['hide', 'show'] as const)('cannot %s a worker: only a task or a listing is in lists', async (action) => {
    const { executorId } = await appliedJob(stage)
    const id = await reported('worker', executorId)
    await expect(stage.market.decideReport(id, action, act)).rejects.toThrow(
      refusedWith('VALIDATION_FAILED', {
        field: 'action',
        constraint: 'only a task or a listing can be hidden or shown',
        received: action,
      }),
    )
  })

  test('has to exist', async () => {
    const id = randomUUID()
    await expect(stage.market.decideReport(id, 'note', act)).rejects.toThrow(
      refusedWith('NOT_FOUND', { report_id: id }),
    )
  })
})

describe('money that a payer takes back alone', () => {
  test('is what the chain holds, from the second in which the window closes', async () => {
    const job = await appliedJob(stage)
    await expect(stage.market.reclaim(publisher, job.taskId)).rejects.toThrow(refusedWith('ESCROW_NOT_FOUND'))
    await assignJob(stage, job)
    await expect(stage.market.reclaim(stranger, job.taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    const early = await stage.market.reclaim(publisher, job.taskId)
    expect(early).toMatchObject({ taskId: job.taskId, payer: publisher.wallet, amount: { atomic: 10_000_000n } })
    expect(early.eligible).toBe(false)
    const eligible = async (ms: number): Promise<boolean> => {
      const clock = { now: () => new Date(early.eligibleAt.getTime() + ms) }
      return (await createMarket({ ...stage.deps, clock }).reclaim(publisher, job.taskId)).eligible
    }
    expect([await eligible(-1), await eligible(0), await eligible(1)]).toEqual([false, true, true])
  })

  test('is nothing once the money has left', async () => {
    const { taskId, submissionId } = await submittedJob(stage)
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
    await expect(stage.market.reclaim(publisher, taskId)).rejects.toThrow(refusedWith('ESCROW_NOT_REFUNDABLE'))
  })
})

describe('the address a worker is paid at', () => {
  test('is bound by the worker, and told to nobody else', async () => {
    const own = { ...worker, wallet: `0x${'7'.repeat(40)}` } as const
    await expect(stage.market.bindPayoutAddress(own, 'elsewhere')).rejects.toThrow(refusedWith('WORKER_NOT_FOUND'))
    const { executorId } = await appliedJob(stage, own)
    expect(await stage.market.payoutAddress(own, executorId)).toBeNull()
    expect(await stage.market.bindPayoutAddress(own, 'elsewhere')).toEqual({ executorId })
    expect(await stage.market.payoutAddress(own, executorId)).toBe('elsewhere')
    expect(await stage.market.payoutAddress(publisher, executorId)).toBeNull()
  })
})

test('a task that is changed keeps the rest, has its deadline from now, and says so', async () => {
  const { task } = await stage.market.publish(publisher, gateTask())
  stage.clock.advance(60_000)
  const deadline = new Date(stage.clock.now().getTime() + 2 * 3_600_000)
  expect(
    await stage.market.updateTask(publisher, task.id, { title: 'Photograph the door', deadlineHours: 2 }),
  ).toMatchObject({
    title: 'Photograph the door',
    instructions: task.instructions,
    deadline,
  })
  const { rows } = await stage.pool.query('select type from outbox where task_id = $1 order by id', [task.id])
  expect(rows).toEqual([{ type: 'task.created' }, { type: 'task.updated' }])
})
