import type { Pool, QueryConfig } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { appliedJob, openStage, type Stage } from './stage.ts'

const open = {
  status: 'published',
  category: null,
  network: null,
  publisher: null,
  words: null,
  takenBy: null,
  anyStatus: false,
} as const
const page = { limit: 20, offset: 0, cursor: null } as const

afterEach(() => {
  vi.restoreAllMocks()
})

/** A store over the same pool, and the counts that it asks for. */
function watched({ pool }: Stage, onCount: () => void = () => undefined) {
  const counts: { readonly text: string; readonly values: readonly unknown[] }[] = []
  const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
    if (typeof statement !== 'string' || !statement.startsWith('select count(*)'))
      return pool.query(statement as QueryConfig)
    counts.push({ text: statement, values: values ?? [] })
    const answer = await pool.query(statement, values)
    onCount()
    return answer
  }
  const listening = Object.create(pool, { query: { value: query } }) as Pool // the same pool, and each count is noted
  return { store: createPostgresStore(listening, { identityNetwork: 'localnet' }), counts }
}

test('the open market is counted by an index alone, by the list and by the feed of what can be taken', async () => {
  await using stage = await openStage()
  await appliedJob(stage)
  const { store, counts } = watched(stage)
  expect((await store.tasks(open, page)).total).toBe(1)
  const filter = { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null }
  expect((await store.availableTasks({ ...filter, takenBy: null, box: null }, page, stage.clock.now())).total).toBe(1)
  expect(counts).toHaveLength(2)
  const client = await stage.pool.connect()
  // A table this small is quicker to read whole.
  await client.query('set enable_seqscan = off')
  await client.query('set enable_bitmapscan = off')
  const plans: string[] = []
  for (const { text, values } of counts)
    plans.push(JSON.stringify((await client.query(`explain ${text}`, [...values])).rows))
  client.release(true)
  for (const plan of plans) expect(plan).toContain('Index Only Scan using tasks_open_counted')
})

test('a total is counted anew as late as the last count allows, and nobody who is in time waits for it', async () => {
  await using stage = await openStage()
  await appliedJob(stage)
  let at = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => at)
  let tookMs = 0
  const { store, counts } = watched(stage, () => (at += tookMs))
  const total = async (): Promise<number> => (await store.tasks(open, page)).total
  const begunAt = at
  tookMs = 100
  expect(await total()).toBe(1)
  await appliedJob(stage)
  tookMs = 0
  at = begunAt + 1_599
  expect(await total()).toBe(1)
  expect(counts).toHaveLength(1)
  at = begunAt + 1_600
  expect(await total()).toBe(1)
  expect(counts).toHaveLength(2)
  await vi.waitFor(async () => {
    expect(await total()).toBe(2)
  })
  expect(counts).toHaveLength(2)
  // Older than two seconds it is told to nobody.
  await appliedJob(stage)
  at += 2_000
  expect(await total()).toBe(3)
})

test('one statement of the service takes one core of the database', async () => {
  await using stage = await openStage()
  const { rows } = await stage.pool.query("select current_setting('max_parallel_workers_per_gather') as workers")
  expect(rows).toEqual([{ workers: '0' }])
})
