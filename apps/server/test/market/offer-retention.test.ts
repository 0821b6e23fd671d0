import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOfferRetention } from '../../src/adapters/postgres/index.ts'
import { accept, offer } from './settle-stage.ts'
import { appliedJob, assignJob, openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function offersOf(taskId: string): Promise<readonly string[]> {
  return (await stage.market.offers(publisher, taskId)).map(({ status }) => status).sort()
}

test('offers that came to nothing are forgotten once their task is over, and what was settled stays', async () => {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  for (const share of ['1', '2', '3']) await offer(stage, worker, job.taskId, share)
  const { id } = await offer(stage, worker, job.taskId, '4')
  const { forget } = createOfferRetention(stage.pool)
  const later = new Date(stage.clock.now().getTime() + 60_000)
  const withdrawn = ['withdrawn', 'withdrawn', 'withdrawn']
  // While the task goes on they count against its twenty.
  expect(await forget(later, 10)).toBe(0)
  expect(await offersOf(job.taskId)).toEqual(['open', ...withdrawn])
  await accept(stage, publisher, id)
  await untilQuiet(stage)
  const earlier = new Date(stage.clock.now().getTime() - 86_400_000)
  expect(await forget(earlier, 10)).toBe(0)
  expect(await offersOf(job.taskId)).toEqual(['settled', ...withdrawn])
  expect([await forget(later, 2), await forget(later, 2), await forget(later, 2)]).toEqual([2, 1, 0])
  expect(await offersOf(job.taskId)).toEqual(['settled'])
})
