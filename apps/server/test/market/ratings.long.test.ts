import { createMarket, MarketError, type Market, type MarketDeps, type RatingRelay } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { approval, localnet, openStage, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

/** Ratings relayed under the facilitator's wallet, when the way there fails. */

async function paidTask(stage: Stage): Promise<string> {
  const { submissionId, taskId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await untilQuiet(stage)
  return taskId
}

const over = ({ deps }: Stage, ratings: Partial<RatingRelay>, changes: Partial<MarketDeps> = {}) =>
  createMarket({ ...deps, ...changes, ratings: { ...deps.ratings, ...ratings } })
const ofWorker = (taskId: string) =>
  ({
    taskId,
    direction: 'publisher_rates_executor',
    score: 80,
    comment: null,
    workerWallet: worker.wallet,
    agentId: null,
    proofTx: null,
  }) as const
const status = async (stage: Stage, taskId: string) =>
  (await stage.store.rating(taskId, 'publisher_rates_executor'))?.status
const told = async (stage: Stage): Promise<number> =>
  (await stage.pool.query("select 1 from outbox where type = 'reputation.updated'")).rowCount ?? 0

test('a network that takes no ratings is refused before anything is written', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const market = over(stage, {}, { networks: [{ ...localnet, takesRatings: false }] })
  await expect(market.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({
    code: 'INVALID_REPUTATION_NETWORK',
  })
  expect(await stage.store.rating(taskId, 'publisher_rates_executor')).toBeNull()
})

test.each([{ outcome: 'unavailable', sent: false }, { outcome: 'unknown' }] as const)(
  'a relay that is $outcome leaves the rating on its way, and the duty goes on with it once',
  async (answer) => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    const keys: string[] = []
    const failing = over(stage, {
      give: (_terms, key) => {
        keys.push(key)
        return Promise.resolve(answer)
      },
    })
    expect(await failing.giveRating(publisher, ofWorker(taskId))).toMatchObject({ state: 'on its way', txHash: null })
    await expect(stage.market.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({ code: 'ALREADY_RATED' })
    stage.clock.advance(61_000)
    const going = over(stage, {
      give: (terms, key, paid) => {
        keys.push(key)
        return stage.deps.ratings.give(terms, key, paid)
      },
    })
    await going.duties.relayRatings()
    await going.duties.relayRatings()
    expect([await status(stage, taskId), await told(stage), keys.length, new Set(keys).size]).toEqual([
      'confirmed',
      1,
      2,
      1,
    ])
  },
)

test('a rating that was written and never told is answered with its state, to its rater alone', async () => {
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
  const read = async (direction: 'publisher_rates_executor' | null = null): Promise<string> =>
    new TextDecoder().decode(await stage.market.feedbackDocument(taskId, direction))
  const prepared = await stage.market.prepareRating(publisher, {
    taskId,
    direction: 'publisher_rates_executor',
    score: 10,
    comment: 'Rude.',
  })
  await expect(read()).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  await expect(read('publisher_rates_executor')).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  await expect(
    over(stage, {
      relay: () => Promise.resolve({ outcome: 'refused', code: 'RATING_REFUSED', final: true, at: null }),
    }).submitRating(publisher, { ...prepared, signature: '0x' }),
  ).rejects.toMatchObject({ code: 'RATING_REFUSED' })
  await expect(read()).rejects.toMatchObject({ code: 'FEEDBACK_NOT_FOUND' })
  let whileSent = ''
  const reading = over(stage, {
    relay: async (rating, key) => {
      whileSent = await read()
      return stage.deps.ratings.relay(rating, key)
    },
  })
  await reading.submitRating(publisher, { ...prepared, signature: '0x' })
  for (const document of [whileSent, await read('publisher_rates_executor')]) expect(document).toContain('Rude.')
})

test('a refused rating may be given again', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const refusing = over(stage, {
    give: () => Promise.resolve({ outcome: 'refused', code: 'RATING_REFUSED', final: true, at: null }),
  })
  await expect(refusing.giveRating(publisher, ofWorker(taskId))).rejects.toMatchObject({ code: 'RATING_REFUSED' })
  expect(await stage.market.giveRating(publisher, ofWorker(taskId))).toMatchObject({
    state: 'given',
    network: 'localnet',
  })
})

test('a signed rating nobody knows the end of stays on its way: no second document, and the same one again lands', async () => {
  await using stage = await openStage()
  const taskId = await paidTask(stage)
  const prepared = await stage.market.prepareRating(publisher, {
    taskId,
    direction: 'publisher_rates_executor',
    score: 80,
    comment: null,
  })
  const signed = { ...prepared, signature: '0x' }
  const losing = over(stage, { relay: () => Promise.resolve({ outcome: 'unknown' }) })
  await expect(losing.submitRating(publisher, signed)).rejects.toMatchObject({ code: 'RATING_UNAVAILABLE' })
  await expect(
    stage.market.prepareRating(publisher, { taskId, direction: 'publisher_rates_executor', score: 10, comment: null }),
  ).rejects.toMatchObject({ code: 'ALREADY_RATED' })
  expect(await stage.market.submitRating(publisher, signed)).toMatchObject({ score: 80, author: publisher.wallet })
  expect(await status(stage, taskId)).toBe('confirmed')
})

describe('every rating on its way comes to an end, with a finding before', () => {
  const minute = 60_000
  const lost = (stage: Stage): Market => over(stage, { relay: () => Promise.resolve({ outcome: 'unknown' }) })
  const signedOf = async (stage: Stage, taskId: string, caller = publisher) => ({
    ...(await stage.market.prepareRating(caller, {
      taskId,
      direction: caller === publisher ? 'publisher_rates_executor' : 'executor_rates_publisher',
      score: 80,
      comment: null,
    })),
    signature: '0x',
  })
  const audit = async (stage: Stage, ms: number, market = stage.market) => {
    stage.clock.advance(ms)
    await market.duties.auditRatings()
    return (await stage.market.unresolvedFindings(10)).map(({ kind, taskId }) => `${kind} ${taskId ?? ''}`)
  }

  test('sending the same signature again and again does not keep it on its way past its deadline', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    const signed = await signedOf(stage, taskId)
    for (let round = 0; round < 3; round += 1) {
      await expect(lost(stage).submitRating(publisher, signed)).rejects.toMatchObject({ code: 'RATING_UNAVAILABLE' })
      await audit(stage, 4 * minute)
      expect(await status(stage, taskId)).toBe('sending')
    }
    await audit(stage, 4 * minute)
    expect(await status(stage, taskId)).toBe('prepared')
  })

  test('it is a finding for a while before it is given up, and none after', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    await lost(stage)
      .submitRating(publisher, await signedOf(stage, taskId))
      .catch(() => null)
    expect(await audit(stage, 9 * minute)).toEqual([])
    expect(await audit(stage, 2 * minute)).toEqual([`stuck ${taskId}`])
    expect(await audit(stage, 5 * minute)).toEqual([])
    expect(await status(stage, taskId)).toBe('prepared')
  })

  test('one given under our own wallet is a finding once it has waited a quarter of an hour', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    await over(stage, { give: () => Promise.resolve({ outcome: 'unknown' }) }).giveRating(publisher, ofWorker(taskId))
    expect(await audit(stage, 16 * minute)).toEqual([`stuck ${taskId}`])
    await stage.market.duties.relayRatings()
    expect(await audit(stage, minute)).toEqual([])
    expect(await status(stage, taskId)).toBe('confirmed')
  })

  test('a second copy that was not sent, or was refused, says nothing of the first: no second document is made', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    const signed = await signedOf(stage, taskId)
    await expect(lost(stage).submitRating(publisher, signed)).rejects.toMatchObject({ code: 'RATING_UNAVAILABLE' })
    for (const answer of [
      { outcome: 'unavailable', sent: false },
      { outcome: 'refused', code: 'RATING_REFUSED', final: true, at: null },
    ] as const) {
      await expect(
        over(stage, { relay: () => Promise.resolve(answer) }).submitRating(publisher, signed),
      ).rejects.toThrow()
      expect(await status(stage, taskId)).toBe('sending')
    }
    // The first copy lands after all.
    await stage.deps.ratings.relay(
      {
        ...signed,
        paid: {
          txHash: `0x${'ab'.repeat(32)}`,
          asset: { symbol: 'USDC', network: 'localnet', decimals: 6 },
          payer: publisher.wallet,
          payee: worker.wallet,
          payment: null,
        },
      },
      'the first copy',
    )
    await audit(stage, 2 * minute)
    expect(await status(stage, taskId)).toBe('confirmed')
  })

  test('an answer that comes late does not undo what the registry confirmed', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    const signed = await signedOf(stage, taskId)
    const late = over(stage, {
      relay: async (rating, key) => {
        await stage.deps.ratings.relay(rating, key)
        await audit(stage, 2 * minute)
        return { outcome: 'unavailable', sent: false }
      },
    })
    await late.submitRating(publisher, signed).catch(() => null)
    expect(await status(stage, taskId)).toBe('confirmed')
  })

  test('a registry that cannot be asked about some does not hold up the others', async () => {
    await using stage = await openStage()
    const tasks: string[] = []
    for (let one = 0; one < 11; one += 1) tasks.push(await paidTask(stage))
    for (const taskId of tasks)
      for (const caller of [publisher, worker])
        await lost(stage)
          .submitRating(caller, await signedOf(stage, taskId, caller))
          .catch(() => null)
    const last = tasks.at(-1) ?? ''
    const silent = over(stage, {
      find: (terms, author, since) =>
        terms.feedbackUri.includes(last)
          ? stage.deps.ratings.find(terms, author, since)
          : Promise.reject(new MarketError('INVALID_REPUTATION_NETWORK')),
    })
    for (let round = 0; round < 3; round += 1) await audit(stage, 10 * minute, silent)
    expect(await status(stage, last)).toBe('prepared')
  })

  test('a signature that could land long after its window is not sent', async () => {
    await using stage = await openStage()
    const taskId = await paidTask(stage)
    const signed = await signedOf(stage, taskId)
    const beyond = Math.floor(stage.clock.now().getTime() / 1_000) + 3_600
    await expect(stage.market.submitRating(publisher, { ...signed, deadline: beyond })).rejects.toMatchObject({
      code: 'RATING_REFUSED',
    })
    expect(await status(stage, taskId)).toBe('prepared')
  })
})

test('a rating given with an approval anchors the transaction that paid', async () => {
  await using stage = await openStage()
  const { submissionId, taskId } = await submittedJob(stage)
  const { paymentTx } = await stage.market.approve(publisher, submissionId, {
    ...(await approval(stage, submissionId)),
    rating: 90,
  })
  const rating = await stage.store.rating(taskId, 'publisher_rates_executor')
  const document: unknown = JSON.parse(new TextDecoder().decode(rating?.document))
  expect(paymentTx).toMatch(/^0x/)
  expect(document).toMatchObject({ transactions: { payment_tx: paymentTx } })
})
