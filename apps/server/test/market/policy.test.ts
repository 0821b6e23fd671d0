import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appliedJob, assignJob, gateTask, openStage, publisher, submittedJob, worker, type Stage } from './stage.ts'

const refusedWith = (code: string) => expect.objectContaining({ code }) as Error
const anybody = { kind: 'anonymous' } as const

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function published(at: Stage = stage): Promise<string> {
  const { task } = await at.market.publish(publisher, gateTask())
  return task.id
}

const caller = (digit: string, agentId: number) =>
  ({ kind: 'wallet', wallet: `0x${digit.repeat(40)}`, agentId, via: 'signature' }) as const

describe('the policy of a task (decision 0157)', () => {
  test('is none until its publisher gives one, and is read by anybody, alone, with the task and in lists', async () => {
    const taskId = await published()
    expect(await stage.market.taskPolicy(anybody, taskId)).toEqual({
      taskId,
      policy: null,
      fixed: false,
      boundUntil: null,
    })
    const given = await stage.market.setPolicy(publisher, taskId, { reviewHours: 10, onSilence: 'dispute' })
    const { policy, deadline } = await stage.market.readTask(anybody, taskId)
    expect(policy).toEqual({
      reviewHours: 10,
      disputeHours: 168,
      onSilence: 'dispute',
      revisionsMost: 1,
      applicationsMost: null,
      startHours: null,
    })
    expect(given.boundUntil).toEqual(new Date(deadline.getTime() + (10 + 20 + 168 + 24 + 72) * 3_600_000))
    expect(await stage.market.taskPolicy(anybody, taskId)).toEqual(given)
    const filter = { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null }
    const { rows } = await stage.market.availableTasks(anybody, filter, { limit: 50, offset: 0, cursor: null })
    expect(rows.find(({ id }) => id === taskId)?.policy).toEqual(policy)
  })

  test('is replaced as a whole, by its publisher alone, and by nobody once a worker applied', async () => {
    const taskId = await published()
    await stage.market.setPolicy(publisher, taskId, { reviewHours: 10, applicationsMost: 3 })
    const { policy } = await stage.market.setPolicy(publisher, taskId, { disputeHours: 24 })
    expect(policy).toMatchObject({ reviewHours: 72, disputeHours: 24, applicationsMost: null })
    await expect(stage.market.setPolicy(worker, taskId, {})).rejects.toThrow(refusedWith('FORBIDDEN'))
    await stage.market.apply(worker, taskId, { executorId: null, message: null })
    await expect(stage.market.setPolicy(publisher, taskId, {})).rejects.toThrow(refusedWith('TASK_NOT_EDITABLE'))
    expect(await stage.market.taskPolicy(anybody, taskId)).toMatchObject({ fixed: true, policy })
  })

  test('stays as it is when an applicant takes its application back', async () => {
    const taskId = await published()
    await stage.market.apply(worker, taskId, { executorId: null, message: null })
    await stage.market.withdraw(worker, taskId, null)
    await expect(stage.market.setPolicy(publisher, taskId, {})).rejects.toThrow(refusedWith('TASK_NOT_EDITABLE'))
  })

  test('closes the applications at its cap, and an application that is taken back frees its place', async () => {
    const taskId = await published()
    await stage.market.setPolicy(publisher, taskId, { applicationsMost: 2 })
    const apply = (digit: string, agentId: number) =>
      stage.market.apply(caller(digit, agentId), taskId, { executorId: null, message: null })
    await apply('a', 11)
    await apply('b', 12)
    await expect(apply('c', 13)).rejects.toThrow(refusedWith('TASK_NOT_OPEN'))
    await stage.market.withdraw(caller('a', 11), taskId, null)
    expect((await apply('c', 13)).status).toBe('pending')
    await expect(apply('d', 14)).rejects.toThrow(refusedWith('TASK_NOT_OPEN'))
  })

  test('lets changes be asked for as often as it says', async () => {
    const job = await submittedJob(stage, { revisionsMost: 1 })
    await stage.market.requestChanges(publisher, job.submissionId, 'Closer, please.')
    const { submission } = await stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'It is open, and green.' },
      notes: null,
      deviceMetadata: null,
    })
    await expect(stage.market.requestChanges(publisher, submission.id, 'Closer still.')).rejects.toThrow(
      refusedWith('SUBMISSION_NOT_REVIEWABLE'),
    )
    expect((await stage.market.reject(publisher, submission.id, { reason: 'No.', criteria: [] })).task.status).toBe(
      'disputed',
    )
  })

  test('asks for an authorization that lasts long enough', async () => {
    const job = await appliedJob(stage, worker, '10', { reviewHours: 336 })
    const { boundUntil } = await stage.market.assignChallenge(publisher, job.taskId, job.executorId)
    const view = await stage.market.taskPolicy(anybody, job.taskId)
    expect(boundUntil.getTime()).toBeGreaterThanOrEqual(view.boundUntil?.getTime() ?? Infinity)
    expect((await assignJob(stage, job)).state).toBe('accepted')
  })

  test('comes with a task where the operator gives a default', async () => {
    const policy = { reviewHours: 5, disputeHours: 24, onSilence: 'release', revisionsMost: 0, applicationsMost: null }
    const other = { ...stage.deps, settings: { ...stage.deps.settings, policy } } as Stage['deps']
    const { createMarket } = await import('@ergon/core')
    const taskId = await published({ ...stage, market: createMarket(other) })
    expect((await stage.market.readTask(anybody, taskId)).policy).toEqual(policy)
  })
})
