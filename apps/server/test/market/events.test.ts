import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { EventPlace, RecordedEvent } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import {
  createNonceStore,
  createPool,
  createPostgresStore,
  keepEventEpoch,
  watchEpoch,
  type EpochReason,
} from '../../src/adapters/postgres/index.ts'
import { startEventRelay } from '../../src/events/event-relay.ts'
import { eventually } from '../adapters/rig.ts'
import {
  appliedJob,
  assignJob,
  caughtUp,
  gateTask,
  openStage,
  publisher,
  submittedJob,
  worker,
  type Stage,
} from './stage.ts'

const mine = { scope: 'mine', types: null, taskId: null, category: null } as const

async function readAll(
  stage: Stage,
  caller = publisher,
  from: EventPlace | null = null,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly place: EventPlace }> {
  const events: RecordedEvent[] = []
  const { market } = stage
  await caughtUp(stage)
  let place = from
  for (;;) {
    const page = await market.events(caller, mine, place, 3)
    events.push(...page.events)
    place = page.place
    if (!page.hasMore) return { events, place }
  }
}

test('a consumer that was away loses nothing and sees no event twice', async () => {
  await using stage = await openStage()
  const first = await readAll(stage)
  const job = await submittedJob(stage)
  const away = await readAll(stage, publisher, first.place)
  expect(away.events.map(({ type }) => type)).toEqual([
    'task.created',
    'worker.applied',
    'task.assigned',
    'payment.escrowed',
    'task.submitted',
    'submission.received',
  ])
  expect(new Set(away.events.map(({ id }) => id)).size).toBe(away.events.length)
  expect(away.events.every(({ taskId }) => taskId === job.taskId)).toBe(true)
  expect((await readAll(stage, publisher, away.place)).events).toEqual([])
})

test('an event is in the feed of the parties of its task and in nobody else’s', async () => {
  await using stage = await openStage()
  const stranger = { ...worker, wallet: '0x3333333333333333333333333333333333333333', agentId: 3 }
  await submittedJob(stage)
  expect((await readAll(stage, worker)).events.map(({ type }) => type)).toEqual([
    'worker.applied',
    'task.assigned',
    'payment.escrowed',
    'task.submitted',
    'submission.received',
  ])
  expect((await readAll(stage, stranger)).events).toEqual([])
  expect((await stage.market.events({ kind: 'anonymous' }, mine, null, 100)).events).toEqual([])
  await caughtUp(stage)
  const open = await stage.market.events({ kind: 'anonymous' }, { ...mine, scope: 'public' }, null, 100)
  expect(open.events.map(({ type }) => type)).toEqual(['task.created'])
})

test('a worker who stepped down keeps what they saw', async () => {
  await using stage = await openStage()
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  await stage.market.withdraw(worker, job.taskId, null)
  expect((await readAll(stage, worker)).events.map(({ type }) => type)).toContain('task.withdrawn')
})

test('nothing is skipped when transactions commit in another order than they began', async () => {
  await using stage = await openStage()
  const { task } = await stage.market.publish(publisher, gateTask())
  // Other databases of the same server hold the horizon back: what publishing wrote must lie before the start.
  await caughtUp(stage)
  const start = await stage.store.eventHorizon()
  const written: string[] = []
  const write = async (index: number): Promise<void> => {
    const id = randomUUID()
    await stage.store.transaction(async (tx) => {
      // Half of them take their number early and commit late, half the other way round.
      if (index % 2 === 0) await pause((index * 7) % 23)
      await tx.addEvent({ id, type: 'task.updated', taskId: task.id, at: new Date(), data: { task_id: task.id } })
      if (index % 2 === 1) await pause((index * 11) % 29)
    })
    written.push(id)
  }
  const seen: string[] = []
  let place = start
  let isOver = false
  const reading = (async () => {
    for (;;) {
      const last = isOver
      const page = await stage.store.eventsAfter(
        { wallet: publisher.wallet, types: null, taskId: null, category: null },
        place,
        7,
      )
      seen.push(...page.events.map(({ id }) => id))
      place = page.place
      if (last && !page.hasMore) return
    }
  })()
  for (let wave = 0; wave < 12; wave += 1)
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(wave * 8 + index)))
  await caughtUp(stage)
  isOver = true
  await reading
  expect(seen).toHaveLength(96)
  expect(new Set(seen)).toEqual(new Set(written))
})

test('what listens hears of every event once, in order, soon after its commit', async () => {
  await using stage = await openStage()
  const heard: RecordedEvent[] = []
  await using relay = await startEventRelay({
    market: stage.market,
    onError: (error) => {
      throw error
    },
    intervalMs: 50,
  })
  using _listening = relay.subscribe((event) => {
    heard.push(event)
  })
  await submittedJob(stage)
  relay.poke()
  const deadline = Date.now() + 30_000
  while (heard.length < 6 && Date.now() < deadline) await pause(10)
  expect(heard.map(({ type }) => type)).toEqual([
    'task.created',
    'worker.applied',
    'task.assigned',
    'payment.escrowed',
    'task.submitted',
    'submission.received',
  ])
  expect(heard.at(-1)?.wallets.toSorted()).toEqual([publisher.wallet, worker.wallet])
})

test('whoever is told again and again reads what came meanwhile together', async () => {
  const readAt: number[] = []
  await using relay = await startEventRelay({
    market: {
      eventHorizon: () => Promise.resolve('0.0'),
      everyEvent: (place) => {
        readAt.push(performance.now())
        return Promise.resolve({ events: [], place, hasMore: false })
      },
    },
    onError: (error) => {
      throw error
    },
    intervalMs: 60_000,
  })
  const until = performance.now() + 100
  while (performance.now() < until) {
    relay.poke()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const reads = [...readAt]
  expect(reads.length).toBeGreaterThan(1)
  // A timer of Node may ring a millisecond early.
  for (const [index, at] of reads.slice(1).entries()) expect(at - (reads[index] ?? 0)).toBeGreaterThan(8)
})

test('what an older transaction held back behind an event is heard when that one has ended, told or not', async () => {
  const startedAt = performance.now()
  const waiting = ['now', 'late']
  // The relay hands events on as they are; of these only that they are told apart matters here.
  const asEvent = (id: string): RecordedEvent => ({ id }) as RecordedEvent
  const heard: string[] = []
  await using relay = await startEventRelay({
    market: {
      eventHorizon: () => Promise.resolve('0.0'),
      everyEvent: (place) => {
        const isHeldBack = waiting[0] === 'late' && performance.now() - startedAt < 30
        const events = isHeldBack ? [] : waiting.splice(0, 1).map(asEvent)
        return Promise.resolve({ events, place, hasMore: false })
      },
    },
    onError: (error) => {
      throw error
    },
    intervalMs: 600_000,
  })
  using _listening = relay.subscribe(({ id }) => heard.push(id))
  relay.poke()
  await expect.poll(() => heard).toEqual(['now', 'late'])
})

test('a place that no answer gave is refused', async () => {
  await using stage = await openStage()
  for (const place of [
    '',
    'x',
    '1',
    '-1.0',
    'zzzzzzzzzzzzzz.0',
    '1.1; drop table outbox',
    '3w5e11264sgsg.0',
    '1.zzzzzzzzzzzzz',
  ]) {
    await expect(stage.market.events(publisher, mine, place, 10)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
})

test('old events are forgotten, and who would go on from before them is told', async () => {
  await using stage = await openStage()
  const before = await stage.store.eventHorizon()
  await submittedJob(stage)
  stage.clock.advance(60_000)
  const cut = stage.clock.now()
  await appliedJob(stage)
  await caughtUp(stage)
  const read = await stage.market.events(publisher, mine, before, 6)
  expect(await stage.store.forgetEvents(cut, 4)).toBe(4)
  expect(await stage.store.forgetEvents(cut, 1_000)).toBe(2)
  expect(await stage.store.forgetEvents(cut, 1_000)).toBe(0)
  await expect(stage.market.events(publisher, mine, before, 10)).rejects.toMatchObject({ code: 'EVENTS_FORGOTTEN' })
  const left = ['task.created', 'worker.applied']
  // Whoever begins at the beginning, or had read what is gone, misses nothing.
  expect((await readAll(stage, publisher, null)).events.map(({ type }) => type)).toEqual(left)
  expect((await readAll(stage, publisher, read.place)).events.map(({ type }) => type)).toEqual(left)
})

describe('an epoch of the stream', () => {
  const write = async (stage: Stage, taskId: string, during: () => Promise<void> = () => Promise.resolve()) => {
    const id = randomUUID()
    await stage.store.transaction(async (tx) => {
      await tx.addEvent({ id, type: 'task.updated', taskId, at: new Date(), data: { task_id: taskId } })
      await during()
    })
    return id
  }

  test('that begins while events are written loses none of them, and every older place stays valid', async () => {
    await using stage = await openStage()
    const { taskId } = await appliedJob(stage)
    const start = (await readAll(stage)).place
    const begun: Promise<unknown>[] = []
    const first = await write(stage, taskId, async () => {
      // It waits for the writer, and later writers wait for it.
      begun.push(keepEventEpoch(stage.pool, 'asked'))
      await pause(50)
      begun.push(write(stage, taskId))
      await pause(50)
    })
    const [reason, second] = await Promise.all(begun)
    expect(reason).toBe('asked')
    const read = await readAll(stage, publisher, start)
    expect(read.events.map(({ id }) => id)).toEqual([first, second])
    const [old, fresh] = read.events.map(({ place }) => place)
    expect((await readAll(stage, publisher, old)).events.map(({ id }) => id)).toEqual([second])
    expect((await readAll(stage, publisher, fresh)).events).toEqual([])
    expect(await keepEventEpoch(stage.pool)).toBe(null)
  })

  test('begins by itself when a reader was further than the database, as after a copy of its files', async () => {
    await using stage = await openStage()
    const { taskId } = await appliedJob(stage)
    expect(await keepEventEpoch(stage.pool)).toBe(null)
    const { place } = await readAll(stage)
    const further = `${(BigInt(Number.parseInt(place.split('.')[0] ?? '', 36)) + 100_000n).toString(36)}.0`
    await expect(readAll(stage, publisher, further)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'cursor' },
    })
    await stage.pool.query("update event_epoch set running_since = running_since - interval '1 hour'")
    expect((await readAll(stage, publisher, further)).events).toEqual([])
    const id = await write(stage, taskId)
    expect((await readAll(stage, publisher, further)).events.map((one) => one.id)).toEqual([id])
  })

  test.each([
    ['future', "update outbox set xid = '1000000000000' where seq = (select max(seq) from outbox)"],
    ['cluster', "update event_epoch set cluster = '1/00000001'"],
  ] as const)('begins at a start that finds the database gone back: %s', async (reason, change) => {
    await using stage = await openStage()
    await appliedJob(stage)
    await keepEventEpoch(stage.pool)
    await stage.pool.query(change)
    expect([await keepEventEpoch(stage.pool), await keepEventEpoch(stage.pool)]).toEqual([reason, null])
  })

  test('begins before anything is written over a connection that is new after a failover', async () => {
    await using stage = await openStage()
    const { taskId } = await appliedJob(stage)
    await keepEventEpoch(stage.pool)
    const pool = createPool(stage.databaseUrl, { size: 2 })
    await using _end = { [Symbol.asyncDispose]: () => pool.end() }
    const reasons: EpochReason[] = []
    using epoch = watchEpoch(pool, (reason) => reasons.push(reason))
    // At once, so that each connection of the pool answers.
    const ask = (): Promise<{ rows: { pid: number }[] }> =>
      pool.query('select pg_backend_pid() as pid from pg_sleep(0.5)')
    const pids = (await Promise.all([ask(), ask()])).map(({ rows }) => rows[0]?.pid)
    expect(new Set(pids).size).toBe(2)
    const before = (await readAll(stage)).place
    expect([epoch.wentBackAt(), epoch.isUnchecked(), reasons]).toEqual([null, false, []])

    await stage.pool.query("update event_epoch set cluster = '1/00000001'")
    // Both are gone before anybody writes, as after a failover.
    await stage.pool.query('select pg_terminate_backend(pid, 10000) from unnest($1::int[]) pid', [pids])
    const store = createPostgresStore(pool, { identityNetwork: 'localnet' })
    const write = (): Promise<void> =>
      store.transaction((tx) =>
        tx.addEvent({ id: randomUUID(), type: 'task.updated', taskId, at: new Date(), data: { task_id: taskId } }),
      )
    // Both connections are new, and both write at once.
    await eventually(() => Promise.all([write(), write()]).then(Boolean, () => false), Boolean)
    const { rows } = await stage.pool.query<{ xid: string; begun: string }>(
      `select xid::text, (epoch << 31)::text as begun from outbox o, event_epoch order by o.xid desc limit 2`,
    )
    expect(rows.map(({ xid, begun }) => BigInt(xid) > BigInt(begun))).toEqual([true, true])
    expect((await readAll(stage, publisher, before)).events.length).toBeGreaterThanOrEqual(2)
    expect([reasons, epoch.isUnchecked()]).toEqual([['cluster'], true])
    expect(Math.abs(Date.now() / 1_000 - (epoch.wentBackAt() ?? 0))).toBeLessThan(60)

    const nonces = createNonceStore(pool, epoch)
    const [soon, at] = [Date.now() / 1_000 + 60, epoch.wentBackAt() ?? 0]
    await expect(nonces.consume('of before', soon, Math.floor(at))).rejects.toThrow('gone back')
    expect(await nonces.consume('of after', soon, Math.ceil(at))).toBe(true)
    expect(await nonces.consume('of no age', soon)).toBe(true)
  })
})
