import { afterAll, describe, expect, test } from 'vitest'
import {
  createParserPool,
  type Outcome,
  type ParserPool,
  type PoolSettings,
} from '../../../src/adapters/inspector/parser-pool.ts'

type Mood = { readonly mood: string }
const ended: string[] = []
const pool = poolOf({
  onEnded: (reason) => {
    ended.push(reason)
  },
})
afterAll(() => pool[Symbol.asyncDispose]())

function poolOf(settings: Partial<PoolSettings>): ParserPool<Mood, number> {
  return createParserPool({
    script: new URL('./fixtures/moody-parser.ts', import.meta.url),
    processes: 1,
    timeoutMs: 1_500,
    maxWaiting: 10,
    maxInLane: 10,
    maxWaitMs: 10_000,
    heapMib: 32,
    ...settings,
  })
}

const nothing = Buffer.alloc(0)
const run = (mood: string, by = pool, lane = 'one'): Promise<Outcome<number>> =>
  by.run(lane, () => Promise.resolve({ job: { mood }, bytes: nothing }))

test('a parser is used again', async () => {
  expect(await run('well')).toEqual(await run('well'))
})

describe('a parser that does not answer is ended, and a new one does the next job', () => {
  test.each([
    ['hang', 'timeout'],
    ['throw', 'crashed'],
    ['leave', 'crashed'],
  ] as const)('%s', async (mood, failed) => {
    const before = await run('well')
    expect(await run(mood)).toEqual({ failed })
    expect(ended.at(-1)).toBe(failed)
    const after = await run('well')
    expect(after).toHaveProperty('result')
    expect(after).not.toEqual(before)
  })

  // One list that doubles is what no heap limit of a thread survives: it ends the process around it.
  test.each(['grow', 'grow one list', 'abort'])(
    'one that eats memory or breaks in native code (%s) takes nothing with it',
    async (mood) => {
      await using patient = poolOf({ timeoutMs: 20_000 })
      expect(await run(mood, patient)).toEqual({ failed: 'crashed' })
      expect(await run('well', patient)).toHaveProperty('result')
    },
  )
})

test('jobs behind a hanging one wait for it to end and are all done', async () => {
  const outcomes = await Promise.all(['hang', 'well', 'hang', 'well', 'well'].map((mood) => run(mood)))
  expect(outcomes.map((outcome) => ('result' in outcome ? 'done' : outcome.failed))).toEqual([
    'timeout',
    'done',
    'timeout',
    'done',
    'done',
  ])
})

test('no more than the bound may wait, and none longer than it may', async () => {
  await using narrow = poolOf({ maxWaiting: 1, timeoutMs: 2_000 })
  await run('well', narrow)
  expect(
    (await Promise.all([run('slow', narrow), run('well', narrow), run('well', narrow)])).map(
      (outcome) => 'failed' in outcome,
    ),
  ).toEqual([false, false, true])
  await using hasty = poolOf({ maxWaitMs: 20, timeoutMs: 2_000 })
  await run('well', hasty)
  expect((await Promise.all([run('slow', hasty), run('well', hasty)]))[1]).toEqual({ failed: 'busy' })
})

test('a job that cannot be prepared, or not in time, costs no parser', async () => {
  const before = await run('well')
  expect(await pool.run('one', () => Promise.reject(new Error('gone')))).toEqual({ failed: 'unprepared' })
  expect(await pool.run('one', () => new Promise(() => undefined))).toEqual({ failed: 'unprepared' })
  expect(await run('well')).toEqual(before)
})

test('waiting jobs are not prepared before their turn', async () => {
  let prepared = 0
  const jobs = Array.from({ length: 5 }, () =>
    pool.run('one', () => {
      prepared++
      return Promise.resolve({ job: { mood: 'slow' }, bytes: nothing })
    }),
  )
  await jobs[0]
  expect(prepared).toBeLessThanOrEqual(2)
  await Promise.all(jobs)
  expect(prepared).toBe(5)
})

test('a parser knows nothing of the environment of the service', async () => {
  expect(Object.keys(process.env).length).toBeGreaterThan(0)
  expect(await run('secrets')).toMatchObject({ result: 0 })
})

test('after its end a pool takes no job', async () => {
  const closed = poolOf({})
  await closed[Symbol.asyncDispose]()
  expect(await run('well', closed)).toEqual({ failed: 'busy' })
})

test('bytes go to a parser and come back whole', async () => {
  const bytes = Buffer.alloc(25 * 1_048_576, 'the bytes of a stranger')
  await using patient = poolOf({ timeoutMs: 20_000 })
  for (const one of [bytes, Buffer.alloc(0), bytes.subarray(7, 100_000)]) {
    const outcome = await patient.run('one', () => Promise.resolve({ job: { mood: 'echo' }, bytes: one }))
    expect('bytes' in outcome && outcome.bytes.equals(one)).toBe(true)
  }
})

test('one task with forty heavy jobs holds up the one job of another by two of them', async () => {
  await using patient = poolOf({ timeoutMs: 20_000, maxWaiting: 100, maxInLane: 64 })
  await run('well', patient)
  const done: string[] = []
  const job = (lane: string): Promise<unknown> => run('slow', patient, lane).then(() => done.push(lane))
  const heavy = Array.from({ length: 40 }, () => job('heavy'))
  const [light, other] = [job('light'), job('other')]
  await Promise.all([light, other])
  expect(done.indexOf('light')).toBeLessThanOrEqual(2)
  expect(done.indexOf('other')).toBeLessThanOrEqual(3)
  await Promise.all(heavy)
  expect(done.filter((lane) => lane === 'heavy')).toHaveLength(40)
})

test('a lane that is full leaves the others their place in line', async () => {
  await using narrow = poolOf({ timeoutMs: 20_000, maxWaiting: 10, maxInLane: 2 })
  await run('well', narrow)
  const heavy = Promise.all(Array.from({ length: 5 }, () => run('slow', narrow, 'heavy')))
  expect(await run('well', narrow, 'light')).toHaveProperty('result')
  expect((await heavy).map((outcome) => 'failed' in outcome)).toEqual([false, false, false, true, true])
})
