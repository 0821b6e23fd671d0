import { MarketError, type Market } from '@ergon/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyStore } from '../../src/adapters/postgres/index.ts'
import { ledgerDisagreements, openStage, untilQuiet, type Stage } from './stage.ts'
import { createSend, leaseLapses, lookUp, sendUntilStopped, times } from './keyed-process.ts'
import { anOffer, count, seller, type Scene } from './keyed-scenes.ts'
import { makingScenes } from './keyed-making.ts'
import { payingScenes } from './keyed-paying.ts'

/**
 * A keyed call whose process stops at its n-th await between the first word of the key and the last. Whatever n is: the
 * lookup tells no lie, a resend with the same key has one effect, and a third one replays what the second answered.
 */

let stage: Stage
let keys = 0

beforeEach(async () => {
  stage = await openStage('fase2')
})
afterEach(() => stage[Symbol.asyncDispose]())

/** Stops everywhere, looks, resends, and sends once more; answers how many stops there were. */
async function survives(begin: (stopAt: number) => Promise<Scene>, money: boolean): Promise<number> {
  const store = createKeyStore(stage.pool, times)
  const send = createSend(stage.market, store, stage.pool)
  for (let stopAt = 1; stopAt < 200; stopAt += 1) {
    const { call, effects } = await begin(stopAt)
    const key = `key-${String((keys += 1))}`
    const finished = await sendUntilStopped(stage, stopAt, call, key)
    const place = `after a stop at await ${String(stopAt)}`
    const held = await lookUp(store, call, key)
    if (held['state'] === 'in_flight')
      await expect(send(call, key), place).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
    await leaseLapses(stage, key)
    if (money) await untilQuiet(stage)
    const seen = await lookUp(store, call, key)
    const before = await effects()
    expect([seen['state'], before], place).toEqual([
      before === 1
        ? seen['state'] === 'done'
          ? 'done'
          : 'in_doubt'
        : seen['state'] === 'in_doubt'
          ? 'in_doubt'
          : 'not_seen',
      before,
    ])
    expect(before, place).toBeLessThanOrEqual(1)
    const second = await send(call, key)
    expect(await effects(), place).toBe(1)
    const third = await send(call, key)
    expect([third.body, third.headers], place).toEqual([
      JSON.parse(JSON.stringify(second.body)),
      { 'idempotent-replayed': 'true' },
    ])
    const told = await lookUp(store, call, key)
    // A secret is not kept with the key: the lookup knows only what it can be opened from (decision 0069).
    if (JSON.stringify(third.body).includes('whsec_'))
      expect([told['state'], JSON.stringify(told).includes('whsec_')]).toEqual(['done', false])
    else expect(told).toMatchObject({ state: 'done', operation: call.name, answer: third.body })
    if (money) expect(await ledgerDisagreements(stage), place).toEqual([])
    if (finished) return stopAt - 1
  }
  throw new Error('the call did not run through within 200 awaits')
}

describe('a keyed call survives a stop at every await, and is carried out once', () => {
  test.each(makingScenes)('%s', async (_name, begin) => {
    expect(await survives((stopAt) => begin(stage, stopAt), false)).toBeGreaterThan(6)
  })

  test.each(payingScenes)('%s', { timeout: 180_000 }, async (_name, begin) => {
    expect(await survives(() => begin(stage), true)).toBeGreaterThan(10)
  })
})

test('a process whose key was taken over writes nothing', async () => {
  const { call } = {
    call: { name: 'listings.create', caller: await seller(stage), input: { ...anOffer, title: 'Taken over' } } as const,
  }
  const held = createKeyStore(stage.pool, { ...times, leaseMs: 0 })
  const { promise: taken, resolve } = Promise.withResolvers<undefined>()
  const slow: Market = {
    ...stage.market,
    postListing: async (...args) => {
      await taken
      return stage.market.postListing(...args)
    },
  }
  const zombie = createSend(slow, held, stage.pool)(call, 'zombie')
  const store = createKeyStore(stage.pool, times)
  await expect.poll(() => count(stage, "select count(*) from operations where key = 'zombie'", [])).toBe(1)
  const { body } = await createSend(stage.market, store, stage.pool)(call, 'zombie')
  resolve(undefined)
  const thrown: unknown = await zombie.catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(MarketError)
  expect(thrown).toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  expect(await count(stage, "select count(*) from listings where title = 'Taken over'", [])).toBe(1)
  expect(await lookUp(store, call, 'zombie')).toMatchObject({ state: 'done', answer: JSON.parse(JSON.stringify(body)) })
})

test('a call that takes longer than its lease keeps its key', async () => {
  const store = createKeyStore(stage.pool, { ...times, leaseMs: 1_500 })
  const call = { name: 'listings.create', caller: await seller(stage), input: { ...anOffer, title: 'Slow' } } as const
  const { promise: ready, resolve } = Promise.withResolvers<undefined>()
  const slow: Market = {
    ...stage.market,
    postListing: async (...args) => {
      await ready
      return stage.market.postListing(...args)
    },
  }
  const first = createSend(slow, store, stage.pool)(call, 'slow')
  await expect.poll(() => count(stage, "select count(*) from operations where key = 'slow'", [])).toBe(1)
  const {
    rows: [begun],
  } = await stage.pool.query<{ lapses: string }>(
    "select lease_until::text as lapses from operations where key = 'slow'",
  )
  await expect
    .poll(
      () =>
        count(stage, "select count(*) from operations where key = 'slow' and clock_timestamp() > $1::timestamptz", [
          begun?.lapses,
        ]),
      { timeout: 10_000 },
    )
    .toBe(1)
  await expect(createSend(stage.market, store, stage.pool)(call, 'slow')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_IN_FLIGHT',
  })
  resolve(undefined)
  const { body } = await first
  expect(await lookUp(store, call, 'slow')).toMatchObject({ state: 'done', answer: JSON.parse(JSON.stringify(body)) })
})

test('what is older than answers are kept is forgotten', async () => {
  const store = createKeyStore(stage.pool, times)
  const call = { name: 'workers.register', caller: await seller(stage), input: { name: 'Bea' } } as const
  await createSend(stage.market, store, stage.pool)(call, 'old')
  await store.purge(10)
  expect(await lookUp(store, call, 'old')).toMatchObject({ state: 'done' })
  await stage.pool.query("update operations set created_at = created_at - interval '25 hours' where key = 'old'")
  expect(await store.purge(10)).toBe(1)
  expect(await lookUp(store, call, 'old')).toEqual({
    key: 'old',
    operation: null,
    state: 'not_seen',
    status: null,
    answer: null,
    created_at: null,
  })
})
