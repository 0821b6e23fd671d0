import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appliedJob, approval, assignJob, openStage, publisher, submittedJob, worker, type Stage } from './stage.ts'

/** Who may act for a worker, and who may read what concerns the two parties of a payment. */

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const caller = (digit: string, via: WalletCaller['via'] = 'signature'): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${digit.repeat(40)}`,
  agentId: null,
  via,
})

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

describe('a worker acts under its own id', () => {
  test('when it applies', async () => {
    const { taskId, executorId } = await appliedJob(stage)
    const other = caller('5')
    await expect(stage.market.apply(other, taskId, { executorId, message: null })).rejects.toThrow(
      refusedWith('FORBIDDEN', { executor_id: executorId }),
    )
    const { id } = await stage.market.registerWorker(other, { name: null, party: 'agent' })
    expect(await stage.market.apply(other, taskId, { executorId: id, message: null })).toMatchObject({ executorId: id })
  })

  test('when it submits', async () => {
    const job = await appliedJob(stage)
    await assignJob(stage, job)
    const { executorId: other } = await appliedJob(stage, caller('6'))
    const submit = (executorId: string) =>
      stage.market.submit(worker, job.taskId, {
        executorId,
        evidence: { text_response: 'It is open.' },
        notes: null,
        deviceMetadata: null,
      })
    await expect(submit(other)).rejects.toThrow(refusedWith('FORBIDDEN', { executor_id: other }))
    expect((await submit(job.executorId)).submission).toMatchObject({ executorId: job.executorId })
  })

  test('when it was not chosen yet: it reads that, and not that its wallet is the wrong one', async () => {
    const { taskId } = await appliedJob(stage)
    const early = { executorId: null, evidence: { text_response: 'Open.' }, notes: null, deviceMetadata: null }
    await expect(stage.market.submit(worker, taskId, early)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { task_id: taskId, status: 'published' },
      message: 'This task is not assigned to your wallet; its status is published.',
    })
  })

  test('and a session only for a person (spec §1.2)', async () => {
    const { taskId } = await appliedJob(stage)
    await stage.market.registerWorker(caller('4'), { name: null, party: 'agent' })
    const apply = (as: WalletCaller) => stage.market.apply(as, taskId, { executorId: null, message: null })
    await expect(apply(caller('4', 'session'))).rejects.toThrow(
      refusedWith('SESSION_NOT_FOR_PARTY', { executor_type: 'agent' }),
    )
    expect(await apply(caller('3', 'session'))).toMatchObject({ taskId })
  })
})

describe('the order to release a payment (spec §4)', () => {
  test('is shown to both sides of it and to nobody else, while the money is held', async () => {
    const { taskId, submissionId } = await submittedJob(stage)
    const shown = (as: WalletCaller) => stage.market.releaseChallenge(as, taskId)
    for (const party of [publisher, worker]) expect(await shown(party)).toMatchObject({ taskId })
    // A worker, but not of this task; then no worker at all.
    await appliedJob(stage, caller('7'))
    for (const other of [caller('7'), caller('8')])
      await expect(shown(other)).rejects.toThrow(refusedWith('FORBIDDEN', { task_id: taskId }))
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
    await expect(shown(publisher)).rejects.toThrow(refusedWith('ESCROW_NOT_RELEASABLE'))
  })

  test('is shown to no worker before there is one', async () => {
    const { taskId } = await appliedJob(stage)
    for (const as of [worker, caller('8')])
      await expect(stage.market.releaseChallenge(as, taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    await expect(stage.market.releaseChallenge(publisher, taskId)).rejects.toThrow(refusedWith('ESCROW_NOT_FOUND'))
  })
})
