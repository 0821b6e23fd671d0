import type { BindInput, Market } from '@ergon/core'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { createFakeChannels, type FakeChannels } from '@ergon/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignedTask, booksOf, boundTask, marketOn, scan, workerAddress } from './channel-stage.ts'
import { openStage, publisher, worker, type Stage } from './stage.ts'
import { createStopper } from './stops.ts'

const dyingName = 'a process that stops'
const streaming = { unit: 'scan', pricePerUnit: '0.0003', capUsd: '0.01' } as const
let stage: Stage
let channels: FakeChannels
let market: Market
let made = 0
beforeAll(async () => {
  stage = await openStage()
  channels = createFakeChannels('solana')
  market = marketOn(stage, channels)
})
afterAll(() => stage[Symbol.asyncDispose]())

function opened(): BindInput {
  made += 1
  const channelId = `stopped ${String(made)}`
  channels.kept.set(channelId, { payer: 'buyer', worker: workerAddress, deposit: 5_000n })
  return { channelId, payer: 'buyer', payee: null, voucherKey: null }
}

const bound = () => boundTask(market, opened, { streaming })

/** What was sent for a channel; the fake ledger calls its transactions after it. */
function sentFor(channelId: string): ReadonlySet<string> {
  const name = `of${channelId.replaceAll(/[^1-9A-HJ-NP-Za-km-z]/g, 'z')}x`
  return new Set(channels.sent.filter((one) => one.includes(name)))
}

/**
 * Runs the act in a process that stops at its n-th await, and with `statements` at each that the database is asked;
 * false when it came to its end before that.
 */
async function stoppedAt(
  at: number,
  act: (dying: Market) => Promise<unknown>,
  { statements = false } = {},
): Promise<boolean> {
  const stopper = createStopper(at)
  const url = new URL(stage.databaseUrl)
  url.searchParams.set('application_name', dyingName)
  const pool = createPool(url.href)
  // Its connections are ended below, whatever they were doing.
  pool.on('error', () => undefined)
  const store = createPostgresStore(statements ? stopper.wrapPool(pool) : pool, { identityNetwork: 'localnet' })
  const dying = marketOn(
    stage,
    {
      ...channels,
      ledger: stopper.wrap(channels.ledger),
      vouchers: stopper.wrap(channels.vouchers),
      opening: stopper.wrap(channels.opening),
      openings: stopper.wrap(channels.openings),
    },
    { store: stopper.wrapStore(store) },
  )
  const done = act(dying).then(
    () => true,
    () => true,
  )
  const isDone = await Promise.race([done, stopper.stopped.then(() => false)])
  // The connections of a process die with it, and let go of what they locked.
  const living = async (): Promise<number> => {
    const { rows } = await stage.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [dyingName],
    )
    return rows.length
  }
  await expect.poll(living).toBe(0)
  return !isDone
}

test('a tick whose process stops at any await is written whole or not at all, and its repeat is the same tick', async () => {
  const { taskId, channelId } = await bound()
  let [told, stops] = [0n, 0]
  for (let at = 1, isStopped = true; isStopped; at += 1) {
    const idempotency = { key: `tick ${String(at)}`, bodyHash: 'body' }
    isStopped = await stoppedAt(at, (dying) => dying.tick(worker, taskId, scan({ idempotency })), {
      statements: true,
    })
    const { tick } = await market.tick(worker, taskId, scan({ idempotency }))
    const channel = await stage.store.channel(channelId)
    expect(tick.cumulative).toBe(told + 300n)
    expect(channel).toMatchObject({ cumulative: tick.cumulative, vouchers: at, signature: tick.signature })
    told = tick.cumulative
    stops = at
    expect(at).toBeLessThan(24)
  }
  // Between the lock, the signature, the write, the commit and the answer.
  expect(stops).toBeGreaterThan(10)
})

test('a close whose process stops at any await is carried on: paid once, and nothing is lost', async () => {
  let stops = 0
  for (let at = 1, isStopped = true; isStopped; at += 1) {
    const { taskId, channelId } = await bound()
    for (let tick = 0; tick < 3; tick += 1) await market.tick(worker, taskId, scan())
    isStopped = await stoppedAt(at, (dying) => dying.closeChannel(worker, taskId))
    stops = at
    for (let round = 0; round < 3; round += 1) {
      stage.clock.advance(60_000)
      await market.duties.settleChannels()
    }
    if ((await stage.store.channel(channelId))?.status === 'open') await market.closeChannel(worker, taskId)
    expect(await stage.store.channel(channelId), `stopped at ${String(at)}`).toMatchObject({
      status: 'settled',
      end: { settled: 900n },
    })
    expect(await booksOf(stage, channelId), `stopped at ${String(at)}`).toEqual({
      'wallet:buyer': -900n,
      'channel:': 0n,
      [`wallet:${workerAddress}`]: 783n,
      operator: 117n,
    })
    expect(sentFor(channelId).size).toBe(1)
  }
  expect(stops).toBeGreaterThan(20)
})

test('a duty whose process stops at any await leaves the rest to the next one', async () => {
  for (let at = 1, isStopped = true; isStopped; at += 1) {
    const { taskId, channelId } = await bound()
    await market.tick(worker, taskId, scan())
    const kept = channels.kept.get(channelId)
    if (kept !== undefined) channels.kept.set(channelId, { ...kept, state: 'closing' })
    stage.clock.advance(60_000)
    isStopped = await stoppedAt(at, async (dying) => {
      await dying.duties.watchChannels()
      await dying.duties.settleChannels()
    })
    for (let round = 0; round < 3; round += 1) {
      stage.clock.advance(60_000)
      await market.duties.watchChannels()
      await market.duties.settleChannels()
    }
    expect(await stage.store.channel(channelId), `stopped at ${String(at)}`).toMatchObject({
      status: 'settled',
      end: { settled: 300n },
    })
    expect(await booksOf(stage, channelId)).toMatchObject({ 'channel:': 0n, [`wallet:${workerAddress}`]: 261n })
  }
})

test('an opening whose process stops at any await is bound by its repeat, or was never sent', async () => {
  let stops = 0
  for (let at = 1, isStopped = true; isStopped; at += 1) {
    const taskId = await assignedTask(market, { streaming })
    const { transaction, channelId } = await market.channelOffer(publisher, taskId, {
      payer: 'buyer',
      depositUsd: null,
      voucherKey: null,
    })
    const open = (on: Market) => on.openChannel(publisher, taskId, { payer: 'buyer', transaction, voucherKey: null })
    isStopped = await stoppedAt(at, open)
    stops = at
    // Whatever is on the ledger was written down before.
    const isSent = channels.kept.has(channelId)
    expect(isSent && (await channels.openings.find(channelId)) === null, `stopped at ${String(at)}`).toBe(false)
    expect(await open(market), `stopped at ${String(at)}`).toMatchObject({ id: channelId, taskId, deposit: 10_000n })
    // Live openings have a limit.
    await channels.openings.forget(channelId)
  }
  expect(stops).toBeGreaterThan(8)
})
