import { afterAll, beforeAll, expect, test } from 'vitest'
import { silenceOn } from './silence-stage.ts'
import { approval, openStage, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

/** How a publisher decides, as running totals (decision 0175). */
let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())
const { verified, after } = silenceOn(() => stage)
const history = async () => (await stage.market.publisherStanding(publisher.wallet, { limit: 1, offset: 0 })).history
const policy = { reviewHours: 10, disputeHours: 48 }

test('approvals, rejections, changes and silence are counted once each, with the time they took', async () => {
  expect(await history()).toEqual({ handedIn: 0, medianHours: null, rejectedShare: null, silentShare: null })

  const approved = await submittedJob(stage, policy)
  stage.clock.advance(3 * 3_600_000)
  await stage.market.approve(publisher, approved.submissionId, await approval(stage, approved.submissionId))
  await untilQuiet(stage)
  expect(await history()).toMatchObject({ handedIn: 1, medianHours: 4, rejectedShare: 0, silentShare: 0 })

  const changed = await submittedJob(stage, policy)
  await stage.market.requestChanges(publisher, changed.submissionId, 'Closer.')
  expect(await history()).toMatchObject({ handedIn: 2, medianHours: 1 })

  const rejected = await submittedJob(stage, policy)
  await stage.market.reject(publisher, rejected.submissionId, { reason: 'No.', criteria: [] })
  expect(await history()).toMatchObject({ handedIn: 3, rejectedShare: 1 / 3 })

  await verified(await submittedJob(stage, policy))
  await after(11)
  await after(1)
  expect(await history()).toMatchObject({ handedIn: 4, silentShare: 0.25 })
})

test('a worker who is asked for changes and says nothing is not the silence of the publisher', async () => {
  const { handedIn } = await history()
  const job = await verified(await submittedJob(stage, policy))
  await stage.market.requestChanges(publisher, job.submissionId, 'Closer.')
  await after(60)
  await untilQuiet(stage)
  expect((await stage.market.readTask(worker, job.taskId)).status).toBe('disputed')
  expect((await history()).handedIn).toBe(handedIn + 1)
})
