import { taskStatuses, type TaskStatus } from '@ergon/contract'
import type { AdminAct } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  type Stage,
} from './stage.ts'

const act: AdminAct = { actor: 'ada', reason: 'It was asked for.', requestId: 'request-1' }
const page = { limit: 20, offset: 0, cursor: null }
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

const linesOf = async (subject: string) => (await stage.market.auditLines(subject, page)).rows
const statusOf = async (taskId: string): Promise<TaskStatus | undefined> => (await stage.store.task(taskId))?.status

/** How a task comes into each status; the two that no flow leaves one in are written into the row. */
const into: Readonly<Record<TaskStatus, () => Promise<string>>> = {
  draft: async () => rewritten(await published(), 'draft'),
  published,
  assigning: async () => {
    const job = await appliedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    await assignJob(stage, job)
    stage.chain.fault = () => 'none'
    return job.taskId
  },
  accepted: async () => {
    const job = await appliedJob(stage)
    await assignJob(stage, job)
    return job.taskId
  },
  in_progress: async () => {
    const { taskId, submissionId } = await submittedJob(stage)
    await stage.market.requestChanges(publisher, submissionId, 'Closer, please.')
    return taskId
  },
  submitted: async () => rewritten((await submittedJob(stage)).taskId, 'submitted'),
  verifying: async () => (await submittedJob(stage)).taskId,
  completed: async () => {
    const { taskId, submissionId } = await submittedJob(stage)
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
    return taskId
  },
  disputed: async () => {
    const { taskId, submissionId } = await submittedJob(stage)
    await stage.market.reject(publisher, submissionId, { reason: 'That is another gate.', criteria: [] })
    return taskId
  },
  cancelled: async () => {
    const taskId = await published()
    await stage.market.cancel(publisher, taskId, null)
    return taskId
  },
  expired: async () => {
    const taskId = await published()
    await stage.market.forceTask(taskId, 'expired', act)
    return taskId
  },
}

async function published(): Promise<string> {
  return (await appliedJob(stage)).taskId
}

async function rewritten(taskId: string, status: TaskStatus): Promise<string> {
  await stage.pool.query('update tasks set status = $2 where id = $1', [taskId, status])
  return taskId
}

/** Where a task may be forced to; everything else is refused and changes nothing. */
const allowed: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  draft: ['published', 'cancelled'],
  published: ['cancelled', 'expired'],
  assigning: [],
  accepted: ['cancelled', 'expired'],
  in_progress: ['cancelled', 'expired'],
  submitted: ['expired'],
  verifying: ['expired', 'disputed'],
  disputed: ['expired'],
  completed: [],
  cancelled: [],
  expired: [],
}

test('the lag of verification is the age of the oldest submission whose checks have not run', async () => {
  await using own = await openStage()
  const lag = async (): Promise<number | null> => (await own.market.adminMetrics()).verificationLagSeconds
  expect(await lag()).toBeNull()
  const { taskId } = await submittedJob(own)
  own.clock.advance(30_000)
  await submittedJob(own)
  own.clock.advance(15_000)
  expect([(await own.store.task(taskId))?.status, await lag()]).toEqual(['verifying', 45])
  await own.market.duties.verify()
  expect(await lag()).toBeNull()
})

describe('a forced status (decision 0057)', () => {
  test.each(taskStatuses.flatMap((status) => taskStatuses.map((to) => [status, to] as const)))(
    'from %s to %s keeps the ledger with the chain',
    async (status, to) => {
      const taskId = await into[status]()
      expect(await statusOf(taskId)).toBe(status)
      const before = (await linesOf(taskId)).length
      if (status === to) {
        expect((await stage.market.forceTask(taskId, to, act)).state).toBe('unchanged')
        expect(await linesOf(taskId)).toHaveLength(before)
      } else if (allowed[status].includes(to)) {
        expect(await stage.market.forceTask(taskId, to, act)).toMatchObject({ state: 'forced', task: { status: to } })
        expect((await linesOf(taskId))[0]).toMatchObject({
          ...act,
          action: 'task.force',
          subject: taskId,
          before: { status },
          after: { status: to },
        })
        expect(
          (await stage.store.escrowPayment(taskId)) !== null && to !== 'disputed'
            ? (await stage.store.task(taskId))?.escrowStatus
            : 'refunded',
        ).toBe('refunded')
      } else {
        const refused = status === 'assigning' ? 'APPROVAL_IN_FLIGHT' : 'TASK_STATE_NOT_FORCEABLE'
        await expect(stage.market.forceTask(taskId, to, act)).rejects.toMatchObject({ code: refused })
        expect(await statusOf(taskId)).toBe(status)
        expect(await linesOf(taskId)).toHaveLength(before)
      }
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )

  test('waits for the money: the task is cancelled when the chain says that it is back', async () => {
    const taskId = await into.accepted()
    stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect(await stage.market.forceTask(taskId, 'cancelled', act)).toMatchObject({
      state: 'moving',
      task: { status: 'accepted', escrowStatus: 'refunding' },
    })
    expect((await stage.market.forceTask(taskId, 'cancelled', act)).state).toBe('moving')
    await expect(stage.market.forceTask(taskId, 'expired', act)).rejects.toMatchObject({ code: 'APPROVAL_IN_FLIGHT' })
    stage.chain.fault = () => 'none'
    await untilQuiet(stage)
    expect(await stage.market.forceTask(taskId, 'cancelled', act)).toMatchObject({
      state: 'unchanged',
      task: { escrowStatus: 'refunded' },
    })
    expect(await linesOf(taskId)).toHaveLength(1)
  })

  test('of a task whose payer took the funds back on chain goes on without the service, and happens once', async () => {
    const taskId = await into.accepted()
    const payment = await stage.store.escrowPayment(taskId)
    stage.chain.reclaim(payment?.hash ?? '')
    expect(await stage.market.forceTask(taskId, 'cancelled', act)).toMatchObject({
      state: 'forced',
      task: { status: 'cancelled', escrowStatus: 'refunded', refundTx: stage.chain.movements.at(-1)?.txHash },
    })
    expect(await stage.market.forceTask(taskId, 'cancelled', act)).toMatchObject({ state: 'unchanged' })
  })

  test('by two at once happens once', async () => {
    const taskId = await into.accepted()
    const ended = await Promise.allSettled([
      stage.market.forceTask(taskId, 'cancelled', act),
      stage.market.forceTask(taskId, 'expired', act),
      stage.market.cancel(publisher, taskId, null),
    ])
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    await untilQuiet(stage)
    expect(['cancelled', 'expired']).toContain(await statusOf(taskId))
    expect((await stage.store.task(taskId))?.escrowStatus).toBe('refunded')
    expect((await linesOf(taskId)).length).toBeLessThanOrEqual(1)
  })

  test('leaves no difference between the ledger and the chain', async () => {
    await untilQuiet(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect(await findings(stage)).toEqual([])
  })
})
