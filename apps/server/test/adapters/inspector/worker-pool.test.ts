import { afterAll, describe, expect, test } from 'vitest'
import { createWorkerPool, type Outcome, type PoolSettings, type WorkerPool } from '../../../src/adapters/inspector/worker-pool.ts'

type Mood = { readonly mood: string }
const ended: string[] = []
const pool = poolOf({ onEnded: (reason) => { ended.push(reason) } })
afterAll(() => pool[Symbol.asyncDispose]())

function poolOf(settings: Partial<PoolSettings>): WorkerPool<Mood, number> {
  return createWorkerPool({ script: new URL('./fixtures/moody-worker.ts', import.meta.url), threads: 1, timeoutMs: 400, maxWaiting: 10, maxWaitMs: 10_000, heapMib: 32, ...settings })
}

const run = (mood: string, by = pool): Promise<Outcome<number>> => by.run(() => Promise.resolve({ job: { mood }, transfer: [] }))

test('a thread is used again', async () => {
  expect(await run('well')).toEqual(await run('well'))
})

describe('a thread that does not answer is ended, and a new one does the next job', () => {
  test.each([['hang', 'timeout'], ['throw', 'crashed'], ['leave', 'crashed']] as const)('%s', async (mood, failed) => {
    const before = await run('well')
    expect(await run(mood)).toEqual({ failed })
    expect(ended.at(-1)).toBe(failed)
    const after = await run('well')
    expect(after).toHaveProperty('result')
    expect(after).not.toEqual(before)
  })

  test('one that eats memory breaks at its own bound', async () => {
    await using patient = poolOf({ timeoutMs: 10_000 })
    expect(await run('grow', patient)).toEqual({ failed: 'crashed' })
    expect(await run('well', patient)).toHaveProperty('result')
  })
})

test('jobs behind a hanging one wait for it to end and are all done', async () => {
  const outcomes = await Promise.all(['hang', 'well', 'hang', 'well', 'well'].map((mood) => run(mood)))
  expect(outcomes.map((outcome) => ('result' in outcome ? 'done' : outcome.failed))).toEqual(['timeout', 'done', 'timeout', 'done', 'done'])
})

test('no more than the bound may wait, and none longer than it may', async () => {
  await using narrow = poolOf({ maxWaiting: 1, timeoutMs: 2_000 })
  await run('well', narrow)
  expect((await Promise.all([run('slow', narrow), run('well', narrow), run('well', narrow)])).map((outcome) => 'failed' in outcome)).toEqual([false, false, true])
  await using hasty = poolOf({ maxWaitMs: 20, timeoutMs: 2_000 })
  await run('well', hasty)
  expect((await Promise.all([run('slow', hasty), run('well', hasty)]))[1]).toEqual({ failed: 'busy' })
})

test('a job that cannot be prepared, or not in time, costs no thread', async () => {
  const before = await run('well')
  expect(await pool.run(() => Promise.reject(new Error('gone')))).toEqual({ failed: 'unprepared' })
  expect(await pool.run(() => new Promise(() => undefined))).toEqual({ failed: 'unprepared' })
  expect(await run('well')).toEqual(before)
})

test('waiting jobs are not prepared before their turn', async () => {
  let prepared = 0
  const jobs = Array.from({ length: 5 }, () => pool.run(() => {
    prepared++
    return Promise.resolve({ job: { mood: 'slow' }, transfer: [] })
  }))
  await jobs[0]
  expect(prepared).toBeLessThanOrEqual(2)
  await Promise.all(jobs)
  expect(prepared).toBe(5)
})

test('a thread knows nothing of the environment of the service', async () => {
  expect(Object.keys(process.env).length).toBeGreaterThan(0)
  expect(await run('secrets')).toEqual({ result: 0 })
})

test('after its end a pool takes no job', async () => {
  const closed = poolOf({})
  await closed[Symbol.asyncDispose]()
  expect(await run('well', closed)).toEqual({ failed: 'busy' })
})
