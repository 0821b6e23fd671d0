import type { WalletCaller } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { appliedJob, assignJob, openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'

const refusedWith = (code: string): Error => expect.objectContaining({ code }) as Error

const other: WalletCaller = { ...worker, wallet: '0x4444444444444444444444444444444444444444' }
const asked = { executorId: null, message: null }
const of = async (stage: Stage, taskId: string): Promise<readonly string[]> => {
  const { rows } = await stage.pool.query<{ status: string }>(
    'select status from applications where task_id = $1 order by created_at, id',
    [taskId],
  )
  return rows.map((row) => row.status)
}

describe('agent tasks without escrow can be self-accepted (spec §1.6)', () => {
  test('whoever accepts one is its worker at once', async () => {
    await using stage = await openStage('fase1')
    const { taskId } = await appliedJob(stage)
    const taken = await stage.market.apply(other, taskId, { ...asked, selfAccept: true })
    expect(taken.status).toBe('accepted')
    expect(await stage.store.task(taskId)).toMatchObject({ status: 'accepted', executorId: taken.executorId })
    await expect(stage.market.apply(other, taskId, { ...asked, selfAccept: true })).rejects.toThrow(
      refusedWith('already_applied'),
    )
  })

  test('and who applied before is told that another worker has it', async () => {
    await using stage = await openStage('fase1')
    const { taskId, executorId } = await appliedJob(stage)
    await stage.market.apply(other, taskId, { ...asked, selfAccept: true })
    const { rows } = await stage.pool.query(
      "select data from outbox where type = 'worker.not_chosen' and task_id = $1",
      [taskId],
    )
    expect(rows).toEqual([
      { data: expect.objectContaining({ executor_id: executorId, reason: 'another_worker' }) as unknown },
    ])
  })

  test('an executor cannot self-assign on an escrow task: it applies', async () => {
    await using stage = await openStage()
    const { taskId } = await appliedJob(stage)
    expect((await stage.market.apply(other, taskId, { ...asked, selfAccept: true })).status).toBe('pending')
    expect(await stage.store.task(taskId)).toMatchObject({ status: 'published', executorId: null })
  })

  test('nor on a task of a person, nor where it only applies', async () => {
    await using stage = await openStage('fase1')
    const { taskId } = await appliedJob(stage)
    expect((await stage.market.apply(other, taskId, asked)).status).toBe('pending')
    await stage.pool.query("update tasks set publisher_type = 'human' where id = $1", [taskId])
    const third = { ...worker, wallet: '0x5555555555555555555555555555555555555555' }
    expect((await stage.market.apply(third, taskId, { ...asked, selfAccept: true })).status).toBe('pending')
  })
})

describe('an application', () => {
  test('can be withdrawn while it is pending, and made again', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    expect(await stage.market.withdraw(worker, job.taskId, null)).toEqual({
      state: 'withdrawn',
      taskId: job.taskId,
      status: 'published',
      refundTx: null,
    })
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('WORKER_NOT_APPLIED'))
    expect((await stage.market.apply(worker, job.taskId, { ...asked, message: 'Now I can.' })).message).toBe(
      'Now I can.',
    )
    expect(await of(stage, job.taskId)).toEqual(['pending'])
    expect(await assignJob(stage, job)).toMatchObject({ state: 'accepted' })
    await expect(stage.market.withdraw(other, job.taskId, null)).rejects.toThrow(refusedWith('FORBIDDEN'))
  })

  test('that is taken back is heard once, by the publisher and whoever made it, and not by the worker at work', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    await stage.market.apply(other, job.taskId, asked)
    await assignJob(stage, job)
    await untilQuiet(stage)
    await stage.market.withdraw(other, job.taskId, 'I am ill.')
    await stage.market.withdraw(other, job.taskId, 'I am ill.')
    const { rows } = await stage.pool.query(
      `select o.data ->> 'reason' as reason, r.wallet from outbox o join event_recipients r using (xid, seq)
        where o.task_id = $1 and o.type = 'worker.application_withdrawn' order by r.wallet`,
      [job.taskId],
    )
    expect(rows).toEqual([other.wallet, publisher.wallet].toSorted().map((wallet) => ({ reason: 'I am ill.', wallet })))
  })

  test('is not withdrawn while a lock is in flight, for it may be the one it is for', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    await stage.market.apply(other, job.taskId, asked)
    stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    for (const one of [worker, other])
      await expect(stage.market.withdraw(one, job.taskId, null)).rejects.toThrow(refusedWith('APPROVAL_IN_FLIGHT'))
    stage.chain.fault = () => 'none'
    await untilQuiet(stage)
    expect(await stage.store.task(job.taskId)).toMatchObject({ status: 'accepted', executorId: job.executorId })
  })

  test('of a worker who stepped down may be made again', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    await assignJob(stage, job)
    await stage.market.withdraw(worker, job.taskId, 'I am ill.')
    expect(await stage.market.apply(worker, job.taskId, asked)).toMatchObject({ status: 'pending' })
  })

  test('of the others ends when a task ends', async () => {
    await using stage = await openStage()
    const { taskId } = await appliedJob(stage)
    await stage.market.apply(other, taskId, asked)
    await stage.market.cancel(publisher, taskId, null)
    expect(await of(stage, taskId)).toEqual(['rejected', 'rejected'])
    await expect(stage.market.withdraw(other, taskId, null)).rejects.toThrow(refusedWith('TASK_NOT_WITHDRAWABLE'))
  })
})
