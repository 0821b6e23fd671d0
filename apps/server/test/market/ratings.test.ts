import { createMarket, type MarketDeps, type RatingRelay } from '@ergon/core'
import { expect, test } from 'vitest'
import { approval, localnet, openStage, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

/** Ratings relayed under the facilitator's wallet, when the way there fails. */

async function paidTask(stage: Stage): Promise<string> {
  const { submissionId, taskId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await untilQuiet(stage)
  return taskId
}

const over = ({ deps }: Stage, ratings: Partial<RatingRelay>, changes: Partial<MarketDeps> = {}) => createMarket({ ...deps, ...changes, ratings: { ...deps.ratings, ...ratings } })
const ofWorker = (taskId: string) => ({ taskId, direction: 'publisher_rates_executor', score: 80, comment: null, workerWallet: worker.wallet, agentId: null, proofTx: null }) as const
const status = async (stage: Stage, taskId: string) => (await stage.store.rating(taskId, 'publisher_rates_executor'))?.status
const told = async (stage: Stage): Promise<number> => (await stage.pool.query("select 1 from outbox where type = 'reputation.updated'")).rowCount ?? 0

test('a network that takes no ratings is refused before anything is written', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const market = over(stage, {}, { networks: [{ ...localnet, takesRatings: false }] })
  await expect(market.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({ code: 'INVALID_REPUTATION_NETWORK' })
  expect(await stage.store.rating(taskId, 'publisher_rates_executor')).toBeNull()
})

test.each([{ outcome: 'unavailable', sent: false }, { outcome: 'unknown' }] as const)('a relay that is $outcome leaves the rating on its way, and the duty goes on with it once', async (answer) => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const keys: string[] = []
  const failing = over(stage, { give: (_terms, key) => { keys.push(key); return Promise.resolve(answer) } })
  expect(await failing.giveRating(publisher, ofWorker(taskId))).toMatchObject({ state: 'on its way', txHash: null })
  await expect(stage.market.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({ code: 'ALREADY_RATED' })
  stage.clock.advance(61_000)
  const going = over(stage, { give: (terms, key) => { keys.push(key); return stage.deps.ratings.give(terms, key) } })
  await going.duties.relayRatings()
  await going.duties.relayRatings()
  expect([await status(stage, taskId), await told(stage), keys.length, new Set(keys).size]).toEqual(['confirmed', 1, 2, 1])
})

test('a rating that was written and never told is answered by how it stands, to its rater alone', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const asked = () => stage.market.ratingGiven(publisher, taskId, 'publisher_rates_executor')
  expect(await asked()).toBeNull()
  await over(stage, { give: () => Promise.resolve({ outcome: 'unknown' }) }).giveRating(publisher, ofWorker(taskId))
  expect(await asked()).toMatchObject({ state: 'on its way' })
  stage.clock.advance(61_000)
  await stage.market.duties.relayRatings()
  expect(await asked()).toMatchObject({ state: 'given', txHash: expect.stringMatching(/^0x/) as string })
  expect(await stage.market.ratingGiven(worker, taskId, 'publisher_rates_executor')).toBeNull()
})

test('what was only prepared is for nobody to read, and neither is what was refused', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const read = async (direction: 'publisher_rates_executor' | null = null): Promise<string> => new TextDecoder().decode(await stage.market.feedbackDocument(taskId, direction))
  const prepared = await stage.market.prepareRating(publisher, { taskId, direction: 'publisher_rates_executor', score: 10, comment: 'Rude.' })
  await expect(read()).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  await expect(read('publisher_rates_executor')).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  await expect(over(stage, { relay: () => Promise.resolve({ outcome: 'refused', code: 'RATING_REFUSED', final: true, at: null }) }).submitRating(publisher, { ...prepared, signature: '0x' })).rejects.toMatchObject({ code: 'RATING_REFUSED' })
  await expect(read()).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  let whileSent = ''
  const reading = over(stage, { relay: async (rating, key) => {
    whileSent = await read()
    return stage.deps.ratings.relay(rating, key)
  } })
  await reading.submitRating(publisher, { ...prepared, signature: '0x' })
  for (const document of [whileSent, await read('publisher_rates_executor')]) expect(document).toContain('Rude.')
})

test('a refused rating may be given again', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const refusing = over(stage, { give: () => Promise.resolve({ outcome: 'refused', code: 'RATING_REFUSED', final: true, at: null }) })
  await expect(refusing.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({ code: 'RATING_REFUSED' })
  expect(await stage.market.giveRating(publisher, ofWorker(taskId))).toMatchObject({ state: 'given', network: 'localnet' })
})

test('a signed rating nobody knows the end of stays on its way: no second document, and the same one again lands', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const prepared = await stage.market.prepareRating(publisher, { taskId, direction: 'publisher_rates_executor', score: 80, comment: null })
  const signed = { ...prepared, signature: '0x' }
  const losing = over(stage, { relay: () => Promise.resolve({ outcome: 'unknown' }) })
  await expect(losing.submitRating(publisher, signed)).rejects.toMatchObject({ code: 'RATING_UNAVAILABLE' })
  await expect(stage.market.prepareRating(publisher, { taskId, direction: 'publisher_rates_executor', score: 10, comment: null })).rejects.toMatchObject({ code: 'ALREADY_RATED' })
  expect(await stage.market.submitRating(publisher, signed)).toMatchObject({ score: 80, author: publisher.wallet })
  expect(await status(stage, taskId)).toBe('confirmed')
})
