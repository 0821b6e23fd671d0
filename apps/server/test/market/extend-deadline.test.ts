import { createMarket } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedWith } from './settle-stage.ts'
import { appliedJob, assignJob, openStage, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

const nobody = { kind: 'anonymous' } as const
const hourMs = 3_600_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

const deadlineOf = async (taskId: string): Promise<Date> =>
  (await stage.market.taskDeadline(publisher, taskId)).deadline
const later = (from: Date, hours: number): Date => new Date(from.getTime() + hours * hourMs)

async function told(taskId: string): Promise<unknown[]> {
  const { rows } = await stage.pool.query<{ type: string; data: Record<string, string>; wallets: string[] }>(
    `select o.type, o.data, array(select wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq
        order by wallet) as wallets
      from outbox o where o.task_id = $1 and o.type like '%.deadline_moved' order by o.id`,
    [taskId],
  )
  return rows.map(({ type, data, wallets }) => [type, data['reason'] ?? data['executor_id'], wallets])
}

test('while a task is open its publisher gives more time, and whoever waits is told alone', async () => {
  const { taskId, executorId } = await appliedJob(stage)
  const was = await deadlineOf(taskId)
  const to = later(was, 48)
  expect(await stage.market.extendDeadline(publisher, taskId, to)).toEqual({
    taskId,
    deadline: to,
    was,
    left: 4,
    latest: later(was, 720),
    authorizationEnds: null,
  })
  expect(await stage.market.taskDeadline(nobody, taskId)).toMatchObject({ deadline: to, was, left: 4 })
  expect((await stage.market.readTask(nobody, taskId)).deadline).toEqual(to)
  expect(await told(taskId)).toEqual([
    ['task.deadline_moved', 'extended', [publisher.wallet]],
    ['worker.deadline_moved', executorId, [worker.wallet]],
  ])
  await expect(stage.market.extendDeadline(worker, taskId, later(to, 1))).rejects.toThrow(refusedWith('FORBIDDEN'))
  await expect(stage.market.extendDeadline(publisher, taskId, to)).rejects.toThrow(
    refusedWith('VALIDATION_FAILED', { field: 'deadline' }),
  )
})

test('with the bounty locked: as far as the authorization lasts, and past the earlier deadline nothing ends', async () => {
  const job = await appliedJob(stage, worker, '10', { reviewHours: 336 })
  await assignJob(stage, job)
  const { latest, authorizationEnds, deadline } = await stage.market.taskDeadline(worker, job.taskId)
  // The challenge asks for three days of room.
  expect([latest, authorizationEnds]).toEqual([later(deadline, 72), expect.any(Date)])
  await expect(stage.market.extendDeadline(publisher, job.taskId, later(deadline, 73))).rejects.toThrow(
    refusedWith('VALIDATION_FAILED', {
      latest: latest?.toISOString(),
      authorization_expires_at: authorizationEnds?.toISOString(),
      hours_after_deadline: 336 + 672 + 168 + 24,
    }),
  )
  await stage.market.extendDeadline(publisher, job.taskId, later(deadline, 72))
  expect(await stage.market.taskDeadline(worker, job.taskId)).toMatchObject({ left: 4, latest: null })
  expect(await told(job.taskId)).toEqual([
    ['task.deadline_moved', 'extended', [publisher.wallet, worker.wallet].sort()],
    ['worker.deadline_moved', job.executorId, [worker.wallet]],
  ])
  stage.clock.advance(deadline.getTime() - stage.clock.now().getTime() + hourMs)
  await untilQuiet(stage)
  expect((await stage.market.readTask(worker, job.taskId)).status).toBe('accepted')
})

test('not once the work is handed in', async () => {
  const { taskId } = await submittedJob(stage)
  const deadline = await deadlineOf(taskId)
  await expect(stage.market.extendDeadline(publisher, taskId, later(deadline, 1))).rejects.toThrow(
    refusedWith('TASK_NOT_EDITABLE'),
  )
})

test('many at once: no more than five take effect', async () => {
  const { taskId } = await appliedJob(stage)
  const deadline = await deadlineOf(taskId)
  for (let n = 1; n <= 4; n += 1) await stage.market.extendDeadline(publisher, taskId, later(deadline, n))
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => stage.market.extendDeadline(publisher, taskId, later(deadline, 10 + n))),
  )
  const { rows } = await stage.pool.query('select 1 from task_extensions where task_id = $1', [taskId])
  expect([rows.length, asked.filter(({ status }) => status === 'fulfilled').length]).toEqual([5, 1])
  for (const one of asked)
    if (one.status === 'rejected') expect(['TASK_NOT_EDITABLE', 'VALIDATION_FAILED']).toContain(one.reason.code)
})

test('what was signed for the earlier deadline locks nothing', async () => {
  const job = await appliedJob(stage)
  const { signatures } = stage.deps
  const racing = createMarket({
    ...stage.deps,
    signatures: {
      ...signatures,
      async readEscrowAuthorization(...given) {
        const read = await signatures.readEscrowAuthorization(...given)
        await stage.market.extendDeadline(publisher, job.taskId, later(await deadlineOf(job.taskId), 700))
        return read
      },
    },
  })
  await expect(assignJob({ market: racing }, job)).rejects.toThrow(refusedWith('TASK_NOT_ASSIGNABLE'))
  expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('published')
})
