import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hourMs, refusedWith, silenceOn } from './silence-stage.ts'
import {
  appliedJob,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

/** A place, a time to begin, and the next in line (decision 0174), in every payment mode. */
const caller = (digit: string, agentId: number) =>
  ({ kind: 'wallet', wallet: `0x${digit.repeat(40)}`, agentId, via: 'signature' }) as const
const [second, third] = [caller('7', 71), caller('8', 81)]
const handIn = {
  executorId: null,
  evidence: { text_response: 'It is open.' },
  notes: null,
  deviceMetadata: null,
} as const

describe.each(['fase1', 'fase2', 'fase5'] as const)('in mode %s', (mode) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(mode)
  })
  afterAll(() => stage[Symbol.asyncDispose]())
  const { after, told, statusOf } = silenceOn(() => stage)
  const apply = (as: typeof second, taskId: string) =>
    stage.market.apply(as, taskId, { executorId: null, message: null })

  /** Assigned to the worker; two others wait. */
  async function assigned(policy = {}) {
    const job = await appliedJob(stage, worker, '10', { startHours: 2, ...policy })
    const [next] = [await apply(second, job.taskId), await apply(third, job.taskId)]
    await assignJob(stage, job)
    return { ...job, next }
  }
  const heldFor = async (taskId: string): Promise<bigint> => {
    const payment = await stage.store.escrowPayment(taskId)
    return payment === null ? 0n : stage.chain.capturable(payment.hash)
  }

  test('whoever has not begun in time gives way: refund first, then the next is named with what to sign', async () => {
    const job = await assigned()
    const { hash } = (await stage.store.escrowPayment(job.taskId)) ?? { hash: null }
    await after(1.9)
    expect(await statusOf(job)).toBe('accepted')
    await after(0.2)
    await untilQuiet(stage)
    expect(await statusOf(job)).toBe('published')
    if (hash !== null) expect(stage.chain.capturable(hash)).toBe(0n)
    expect((await told(job, 'task.handed_on')).map(({ data }) => data)).toEqual([
      {
        task_id: job.taskId,
        executor_id: job.next.executorId,
        application_id: job.next.id,
        was: job.executorId,
        challenge:
          mode === 'fase1' ? null : `/api/v1/tasks/${job.taskId}/assign/challenge?executor_id=${job.next.executorId}`,
      },
    ])
    expect(await stage.market.ownApplication(second, job.taskId)).toMatchObject({ outcome: 'waiting', place: 1 })
    const challenge =
      mode === 'fase1' ? null : await stage.market.assignChallenge(publisher, job.taskId, job.next.executorId)
    await assignJob(stage, {
      taskId: job.taskId,
      executorId: job.next.executorId,
      paymentAuth: challenge === null ? null : JSON.stringify(challenge.envelope),
    })
    expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'accepted',
      executorId: job.next.executorId,
    })
    expect(await heldFor(job.taskId)).toBe(mode === 'fase1' ? 0n : 10_000_000n)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('whoever says that it has begun keeps the task, and says so once', async () => {
    const job = await assigned()
    await expect(stage.market.begin(second, job.taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    await stage.market.begin(worker, job.taskId)
    await stage.market.begin(worker, job.taskId)
    await after(3)
    expect(await statusOf(job)).toBe('accepted')
    expect(await told(job, 'task.updated')).toHaveLength(2)
    expect(await told(job, 'task.handed_on')).toEqual([])
  })

  test('handing in is a beginning', async () => {
    const job = await assigned({ reviewHours: 48 })
    await stage.market.submit(worker, job.taskId, handIn)
    await after(3)
    expect(await statusOf(job)).toBe('verifying')
    await expect(stage.market.begin(worker, job.taskId)).rejects.toThrow(refusedWith('TASK_NOT_SUBMITTABLE'))
  })

  test('where nobody waits the worker keeps the task', async () => {
    const job = await appliedJob(stage, worker, '10', { startHours: 2 })
    await assignJob(stage, job)
    await after(3)
    expect(await statusOf(job)).toBe('accepted')
  })

  test('the timer and a hand-in at the same moment: one of them counts', async () => {
    const job = await assigned({ reviewHours: 48 })
    stage.clock.advance(2 * hourMs + 1)
    await Promise.allSettled([stage.market.submit(worker, job.taskId, handIn), stage.market.duties.runTimers()])
    await untilQuiet(stage)
    expect(['published', 'verifying']).toContain(await statusOf(job))
    expect(await heldFor(job.taskId)).toBe(mode !== 'fase1' && (await statusOf(job)) === 'verifying' ? 10_000_000n : 0n)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('whoever stepped down may come back, behind those who wait, and the next is named', async () => {
    const job = await assigned()
    await stage.market.withdraw(worker, job.taskId, null)
    await untilQuiet(stage)
    expect((await told(job, 'task.handed_on'))[0]?.data).toMatchObject({ executor_id: job.next.executorId })
    expect(await stage.market.ownApplication(worker, job.taskId)).toMatchObject({ outcome: 'taken_back', place: null })
    await stage.market.apply(worker, job.taskId, { executorId: null, message: 'I can after all.' })
    expect(await stage.market.ownApplication(worker, job.taskId)).toMatchObject({ outcome: 'waiting', waiting: 3 })
  })

  test('an applicant reads its own place and outcome, and nobody else does', async () => {
    const job = await assigned({ applicationsMost: 3 })
    expect(await stage.market.ownApplication(worker, job.taskId)).toMatchObject({ outcome: 'assigned', place: null })
    expect(await stage.market.ownApplication(third, job.taskId)).toMatchObject({
      outcome: 'waiting',
      place: 2,
      waiting: 2,
      most: 3,
    })
    await expect(stage.market.ownApplication(publisher, job.taskId)).rejects.toThrow(refusedWith('WORKER_NOT_APPLIED'))
  })

  test.runIf(mode !== 'fase1')('whoever was paid past us keeps the task, though it has not begun', async () => {
    const job = await assigned()
    const payment = await stage.store.escrowPayment(job.taskId)
    stage.chain.capture(payment?.hash ?? '', 10_000_000n)
    for (let round = 0; round < 3; round += 1) {
      await after(2.1)
      await untilQuiet(stage)
    }
    expect(await stage.market.readTask(publisher, job.taskId)).toMatchObject({
      status: 'accepted',
      executorId: job.executorId,
      escrowStatus: 'released',
    })
    expect(await told(job, 'task.handed_on')).toEqual([])
    const { rows } = await stage.pool.query('select kind from task_timers where task_id = $1', [job.taskId])
    expect(rows).toEqual([])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('whose turn it is says so', async () => {
    const job = await assigned()
    const { startBy } = await stage.market.readTask(worker, job.taskId)
    expect(startBy).toEqual(new Date(stage.clock.now().getTime() + 2 * hourMs))
  })
})
