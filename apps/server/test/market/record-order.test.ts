import { createMarket } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import { expect, test } from 'vitest'
import { appliedJob, approval, assignJob, openStage, paymentEventsOf, publisher, untilQuiet, worker } from './stage.ts'

test('the records of a payment come as they were written, when another process gives later ids as well', async () => {
  await using stage = await openStage('fase2')
  // A process whose clock is ahead: its ids sort after everything that the other one makes.
  const ahead = createMarket({ ...stage.deps, ids: createTestIds(900) })
  const job = await appliedJob(stage)
  await assignJob({ market: ahead }, job)
  const { submission } = await stage.market.submit(worker, job.taskId, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  await stage.market.approve(publisher, submission.id, await approval(stage, submission.id))
  await untilQuiet(stage)
  const types = (await paymentEventsOf(stage, job.taskId)).map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual(['verify', 'store_auth', 'settle'])
  expect(types.indexOf('disburse_worker')).toBeGreaterThan(2)
})

test('submissions are listed with the one handed in last at the head, whatever its id', async () => {
  await using stage = await openStage('fase2')
  const ahead = createMarket({ ...stage.deps, ids: createTestIds(900) })
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  const work = { executorId: null, evidence: { text_response: 'It is open.' }, notes: null, deviceMetadata: null }
  const first = await ahead.submit(worker, job.taskId, work)
  await stage.market.requestChanges(publisher, first.submission.id, 'Look once more.')
  const second = await stage.market.submit(worker, job.taskId, work)
  const listed = await stage.market.submissions(publisher, job.taskId)
  expect(listed.map(({ id }) => id)).toEqual([second.submission.id, first.submission.id])
})
