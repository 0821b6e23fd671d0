import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  type Stage,
} from './stage.ts'

/** Answers and looks that come late: what they say was true, and the books know more by now. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage('fase2')
  stage.chain.now = () => stage.clock.now()
  await stage.market.duties.followChains()
})
afterEach(() => stage[Symbol.asyncDispose]())

test('of two settlements that were claimed for one payment one does what is to do, and the other ends', async () => {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  await stage.market.cancel(publisher, job.taskId, null)
  await untilQuiet(stage)
  const refund = await stage.store.settlement(job.taskId, 'refund')
  if (refund === null) throw new Error('the task was cancelled, so its money goes back')
  // Claimed by a look at the chain of before the refund.
  const id = randomUUID()
  const order = { ...refund.order, key: `stray:${id}` }
  const claim = { status: 'claimed', txHash: null, mustLand: true, order } as const
  const late = { ...refund, ...claim, id, purpose: 'stray', subject: `late:${id}` } as const
  await stage.store.transaction((tx) => tx.claimSettlement(late, stage.clock.now()))
  const sent = stage.chain.landings.length
  await untilQuiet(stage)
  const { rows } = await stage.pool.query('select status from settlements where id = $1', [id])
  expect(rows).toEqual([{ status: 'refused' }])
  expect(stage.chain.landings.length).toBe(sent)
  expect(await ledgerDisagreements(stage)).toEqual([])
})

test('a late answer of a sweep is not booked beside what that sweep moved when it was mined again', async () => {
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  const { rail } = stage.chain
  const sweepFees = rail.sweepFees.bind(rail)
  rail.sweepFees = async (...asked) => {
    const answer = await sweepFees(...asked)
    while ((await stage.market.duties.followChains()) > 0);
    // The block came again in another order: its log has another place, and more was there to be moved.
    await stage.pool.query('update distributions set atomic = atomic + 1, log_index = log_index + 1')
    return answer
  }
  await stage.market.duties.disburseFees()
  const { rows } = await stage.pool.query('select atomic::int as atomic from distributions')
  expect(rows).toEqual([{ atomic: 1_300_001 }])
  const { rows: ended } = await stage.pool.query("select 1 from sweeps where status = 'confirmed'")
  expect(ended.length).toBe(1)
})
