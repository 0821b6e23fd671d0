import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { WalletCaller } from '@ergon/core'
import { expect, onTestFinished, test } from 'vitest'
import { isBehindPlace } from '../../src/adapters/postgres/index.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { createEventHandlers } from '../../src/api/events.ts'
import { startEventRelay, type EventRelay } from '../../src/events/event-relay.ts'
import { createEventTaps, type EventTaps } from '../../src/events/event-taps.ts'
import { eventually } from '../adapters/rig.ts'
import { appliedJob, caughtUp, openStage, publisher, worker, type Stage } from './stage.ts'

/** The relay reads each event once, and hands it to those whom it concerns (decision 0116). */

type Served = {
  readonly stage: Stage
  readonly relay: EventRelay
  readonly taps: EventTaps
  listen(caller: WalletCaller, input?: Readonly<Record<string, unknown>>): Promise<{ readonly ids: () => string[] }>
  /** Statements since the last look. */
  statements(): number
}

async function serve(): Promise<Served> {
  const stage = await openStage()
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const relay = await startEventRelay({ market: stage.market, onError: fail, intervalMs: 100 })
  onTestFinished(() => relay[Symbol.asyncDispose]())
  const taps = createEventTaps({ relay, isBehind: isBehindPlace })
  onTestFinished(() => taps[Symbol.asyncDispose]())
  const handlers = createEventHandlers({
    market: stage.market,
    taps,
    live: { isBanned: () => false },
  } as unknown as ApiDeps) // what these two handlers ask
  let count = 0
  const ask = stage.pool.query.bind(stage.pool) as (...args: unknown[]) => unknown
  Object.assign(stage.pool, {
    query: (...args: unknown[]) => {
      count += 1
      return ask(...args)
    },
  })
  let addresses = 0
  return {
    stage,
    relay,
    taps,
    async listen(caller, input = {}) {
      addresses += 1
      const request = { ip: `10.0.0.${String(addresses)}`, onEnd: () => undefined }
      const call = { caller, request, exact: () => undefined } as never // what the handler reads of a call
      const { body } = await handlers['events.stream'](call, input)
      const { stream } = body as unknown as { readonly stream: AsyncGenerator<string> }
      const frames: string[] = []
      const reading = async (): Promise<void> => {
        for await (const frame of stream) frames.push(frame)
      }
      // At the end of a test the database goes away under whoever reads; frames that are missing are seen by the test.
      reading().catch(() => undefined)
      await eventually(
        () => Promise.resolve(frames.length),
        (length) => length > 0,
      )
      return { ids: () => frames.flatMap((frame) => /"id":"([^"]+)"/.exec(frame)?.[1] ?? []) }
    },
    statements: () => {
      const before = count
      count = 0
      return before
    },
  }
}

function fail(error: unknown): void {
  throw error
}

const silent = (index: number): WalletCaller => ({
  ...worker,
  wallet: `0x${String(index).padStart(40, '5')}`,
})

async function write({ store }: Stage, taskId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids)
    await store.transaction((tx) =>
      tx.addEvent({ id, type: 'task.updated', taskId, at: new Date(), data: { task_id: taskId } }),
    )
  return ids
}

test('two hundred silent streams ask the database nothing while others’ events go by', async () => {
  const served = await serve()
  const { stage, relay } = served
  const { taskId } = await appliedJob(stage)
  // What the job itself told is past before anybody listens.
  await caughtUp(stage)
  const witness = await served.listen(publisher)
  const streams = await Promise.all(Array.from({ length: 200 }, (_, index) => served.listen(silent(index))))
  await caughtUp(stage)
  served.statements()
  const ids = await write(stage, taskId, 20)
  relay.poke()
  expect(
    await eventually(
      () => Promise.resolve(witness.ids()),
      (seen) => seen.length >= 20,
    ),
  ).toEqual(ids)
  // The relay's own looks, two statements each.
  expect(served.statements()).toBeLessThan(100)
  expect(streams.flatMap((one) => one.ids())).toEqual([])
})

test('a stream that begins while events are written tells each of them once, in order', async () => {
  const served = await serve()
  const { stage, relay } = served
  const { taskId } = await appliedJob(stage)
  await caughtUp(stage)
  const place = await stage.market.eventHorizon()
  const first = await write(stage, taskId, 5)
  relay.poke()
  const writing = write(stage, taskId, 40)
  const streams = await Promise.all([
    served.listen(publisher, { cursor: place }),
    served.listen(silent(1), { cursor: place, scope: 'public' }),
    served.listen(silent(2), { cursor: place, scope: 'public', category: 'simple_action' }),
    served.listen(silent(3), { cursor: place, scope: 'public', category: 'physical_presence' }),
  ])
  const ids = [...first, ...(await writing)]
  relay.poke()
  for (const stream of streams.slice(0, 3))
    expect(
      await eventually(
        () => Promise.resolve(stream.ids()),
        (seen) => seen.length >= ids.length,
      ),
    ).toEqual(ids)
  expect(streams[3]?.ids()).toEqual([])
})

test('a reader that does not take what it is handed is told to read on by itself', async () => {
  const { stage, relay, taps } = await serve()
  const { taskId } = await appliedJob(stage)
  await caughtUp(stage)
  const place = await stage.market.eventHorizon()
  const query = { wallet: publisher.wallet, types: null, taskId: null, category: null }
  using slow = taps.open(query)
  using quick = taps.open(query)
  await stage.store.transaction(async (tx) => {
    for (let index = 0; index < 501; index += 1)
      await tx.addEvent({
        id: randomUUID(),
        type: 'task.updated',
        taskId,
        at: new Date(),
        data: { task_id: taskId },
      })
  })
  relay.poke()
  const first = await quick.next(place, 20_000)
  expect(first).not.toBe('missed')
  await eventually(
    () => quick.next(place, 100),
    (news) => news.length === 0,
  )
  expect(await slow.next(place, 0)).toBe('missed')
  expect(await slow.next(place, 0)).toEqual([])
})

test('a reader that leaves waits for nothing', async () => {
  const { stage, taps } = await serve()
  const left = taps.open({ wallet: publisher.wallet, types: null, taskId: null, category: null })
  const waiting = left.next(await stage.market.eventHorizon(), 60_000)
  left[Symbol.dispose]()
  expect(await Promise.race([waiting, pause(20_000, 'waits')])).toBe('over')
})
