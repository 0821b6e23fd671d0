import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { createReadingLine, type ReadingLine } from '../../src/adapters/postgres/reading-line.ts'
import { troubleOf } from '../../src/adapters/postgres/trouble.ts'

/** Decision 0265: rows that are read by key share a line while others read. */
const stack = new AsyncDisposableStack()
let pool: Pool
let single: Pool
let line: ReadingLine
beforeAll(async () => {
  const database = stack.use(await createTestDatabase())
  pool = stack.adopt(createPool(database.url, { size: 4 }), (one) => one.end())
  single = stack.adopt(createPool(database.url, { size: 1 }), (one) => one.end())
  line = createReadingLine(pool)
})
afterAll(() => stack.disposeAsync())

const backend = async (): Promise<number> =>
  (await line.query<{ pid: number }>({ name: 'backend', text: 'select pg_backend_pid() as pid' })).rows[0]?.pid ?? 0
const backends = async (readers: number): Promise<number> =>
  new Set(await Promise.all(Array.from({ length: readers }, backend))).size
const isIdle = (): boolean => pool.idleCount === pool.totalCount

test('those who read at once share one connection, which the pool has again when nobody reads', async () => {
  expect(await backends(12)).toBe(1)
  expect(isIdle()).toBe(true)
})

test('where many wait for the shared line, who comes takes another', async () => {
  expect(await backends(40)).toBeGreaterThan(1)
  expect(isIdle()).toBe(true)
})

test('a statement that fails harms nobody beside it', async () => {
  const ends = await Promise.allSettled([backend(), line.query({ name: 'by-nothing', text: 'select 1/0' }), backend()])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a line that is lost fails those who wait for it as reads that wrote nothing, and the next has another', async () => {
  const before = await backend()
  const ends = await Promise.allSettled([
    line.query({ name: 'end', text: 'select pg_terminate_backend(pg_backend_pid())' }),
    backend(),
    backend(),
  ])
  expect(ends.map((one) => one.status === 'rejected' && troubleOf(one.reason))).toEqual(
    Array.from({ length: 3 }, () => 'unwritten'),
  )
  expect(await backend()).not.toBe(before)
  await expect.poll(isIdle).toBe(true)
})

test('a connection that has forgotten a statement is left, and the read has its answer', async () => {
  await backend()
  await pool.query('deallocate backend')
  expect(await backend()).toBeGreaterThan(0)
})

test('readers who follow one another without a pause let go of the line for who waits for a connection', async () => {
  const reads = createReadingLine(single)
  let [isOver, answered] = [false, 0]
  const reader = async (): Promise<void> => {
    while (!isOver) {
      await reads.query({ name: 'while', text: 'select pg_sleep(0.02)' })
      answered += 1
    }
  }
  // While the one is answered, the other still waits.
  const reading = Promise.all([reader(), reader()])
  await expect.poll(() => answered).toBeGreaterThan(4)
  const before = answered
  const client = await single.connect()
  expect(answered - before).toBeLessThanOrEqual(2)
  isOver = true
  client.release()
  await reading
})
