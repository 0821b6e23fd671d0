import { afterEach, beforeEach, expect, test } from 'vitest'
import { unnameLostSweeps } from '../../src/adapters/postgres/index.ts'
import { approval, openStage, paymentEventsOf, publisher, type Stage, submittedJob, untilQuiet } from './stage.ts'

/** A sweep of fees whose block is undone for good: no fee shows a transaction that never was. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage('fase2')
  stage.chain.now = () => stage.clock.now()
  await stage.market.duties.followChains()
})
afterEach(() => stage[Symbol.asyncDispose]())

async function followed(): Promise<void> {
  while ((await stage.market.duties.followChains()) > 0);
  await untilQuiet(stage)
}

/** Tasks whose fees one sweep moved. */
async function swept(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const job = await submittedJob(stage)
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    ids.push(job.taskId)
  }
  stage.chain.sweepOtherwise()
  await followed()
  return ids
}

const feesOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await stage.market.payment(publisher, id)).feeTx))
const toldOf = async (id: string) =>
  (await paymentEventsOf(stage, id)).filter(({ type }) => type === 'disburse_fee').map(({ status }) => status)

/** It is not among the logs of its chain, until the answer is called. */
async function undo(txHash: string | null | undefined): Promise<() => void> {
  const { logs } = stage.chain.rail
  const { window } = logs
  Object.assign(logs, {
    window: async (...asked: Parameters<typeof window>) => {
      const seen = await window(...asked)
      return seen === null
        ? null
        : { ...seen, distributions: seen.distributions.filter((one) => one.txHash !== txHash) }
    },
  })
  await followed()
  return () => Object.assign(logs, { window })
}

const tenMinutesPass = () => stage.pool.query("update lost_sweeps set lost_at = lost_at - interval '10 minutes'")
const rowsLeft = async () => (await stage.pool.query('select from lost_sweeps')).rowCount

test('fees of a sweep that is lost for good name it no more, step by step, and are owed again', async () => {
  const ids = await swept(3)
  const named = await feesOf(ids)
  expect(new Set(named).size).toBe(1)
  await undo(named[0])
  // It may be mined again.
  expect(await unnameLostSweeps(stage.pool, 2)).toBe(0)
  expect(await feesOf(ids)).toEqual(named)
  await tenMinutesPass()
  expect(await unnameLostSweeps(stage.pool, 2)).toBe(2)
  expect((await feesOf(ids)).filter((tx) => tx === null)).toHaveLength(2)
  expect(await unnameLostSweeps(stage.pool, 2)).toBe(1)
  expect(await feesOf(ids)).toEqual([null, null, null])
  expect([await unnameLostSweeps(stage.pool, 2), await rowsLeft()]).toEqual([0, 0])
  expect((await stage.store.owedFees('localnet', 10)).map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted())
  expect(await toldOf(String(ids[0]))).toEqual(['success', 'failed'])

  stage.chain.sweepOtherwise()
  await followed()
  const anew = await feesOf(ids)
  expect(new Set(anew).size).toBe(1)
  expect(anew[0]).not.toBe(named[0])
  expect(await toldOf(String(ids[0]))).toEqual(['success', 'failed', 'success'])
})

test('fees of a sweep that was mined again keep its name', async () => {
  const ids = await swept(1)
  const named = await feesOf(ids)
  const mineAgain = await undo(named[0])
  expect(await rowsLeft()).toBe(1)
  mineAgain()
  await followed()
  await tenMinutesPass()
  expect([await unnameLostSweeps(stage.pool, 2), await rowsLeft()]).toEqual([0, 0])
  expect(await feesOf(ids)).toEqual(named)
})
