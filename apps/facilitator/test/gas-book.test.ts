import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { createGasBook, type GasBook, type GasWish } from '../src/gas/gas-book.ts'
import { createMemoryGasBook } from '../src/testing/memory-gas-book.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

type Book = AsyncDisposable & { readonly book: GasBook }
type StoredBook = Book & { readonly pool: Pool }

async function onPostgres(): Promise<StoredBook> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const pool = new Pool({ connectionString: database.url, max: 4, pipeline: true })
  // One that is given up may hear of the end of its database.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  stack.defer(() => pool.end())
  const owned = stack.move()
  return { book: createGasBook(pool), pool, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const inMemory = (): Promise<Book> =>
  Promise.resolve({ book: createMemoryGasBook(() => Date.now()), [Symbol.asyncDispose]: () => Promise.resolve() })

const wish = (gas: number, ...counts: readonly (readonly [key: string, most: number])[]): GasWish => ({
  gas,
  counts: counts.map(([key, most]) => ({ key, most })),
})

describe.each([
  ['PostgreSQL', onPostgres],
  ['memory', inMemory],
])('the gas of a day in %s', (_, open) => {
  test('is counted against all of its counts or none, first come, first served', async () => {
    await using opened = await open()
    const { book } = opened
    const first = await book.take([
      wish(60, ['a', 100], ['all', 100]),
      wish(50, ['b', 100], ['all', 100]),
      wish(40, ['b', 100], ['all', 100]),
    ])
    expect(first.spent).toEqual([undefined, 'all', undefined])
    expect((await book.take([wish(50, ['a', 100], ['all', 1_000])])).spent).toEqual(['a'])
    expect((await book.today('a')).gas).toBe(60)
    expect((await book.today('b')).gas).toBe(40)
    expect((await book.today('all')).gas).toBe(100)
    expect((await book.today('nobody')).gas).toBe(0)
  })

  test('ends at midnight UTC', async () => {
    await using opened = await open()
    const { endsAt, secondsLeft } = (await opened.book.today('a')).day
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    expect(endsAt).toEqual(midnight)
    expect(Math.abs(secondsLeft - (midnight.getTime() - Date.now()) / 1_000)).toBeLessThan(5)
  })
})

test('a shorter day in memory turns, and forgets', async () => {
  let now = 0
  const book = createMemoryGasBook(() => now, 10_000)
  expect((await book.take([wish(100, ['a', 100])])).spent).toEqual([undefined])
  expect((await book.take([wish(1, ['a', 100])])).spent).toEqual(['a'])
  now = 10_000
  expect((await book.take([wish(1, ['a', 100])])).spent).toEqual([undefined])
})

/** What was asked before is being counted. */
const begun = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('of those who are counted at once nobody passes a limit', async () => {
  await using opened = await onPostgres()
  const { book } = opened
  const takes = Array.from({ length: 20 }, (_, index) =>
    book.take([wish(10, [`payer ${index % 3}`, 40], ['all', 100])]),
  )
  const refused = (await Promise.all(takes)).flatMap(({ spent }) => spent).filter((key) => key !== undefined)
  expect(refused).toHaveLength(10)
  expect((await book.today('all')).gas).toBe(100)
})

test('who asks while others are counted shares the next transaction, and holds no connection meanwhile', async () => {
  await using opened = await onPostgres()
  const { book, pool } = opened
  const connect = vi.spyOn(pool, 'connect')
  const take = (index: number) => book.take([wish(1, [`payer ${index}`, 9], ['all', 60]), wish(1, ['all', 60])])
  const first = take(0)
  await begun()
  const others = Array.from({ length: 49 }, (_, index) => take(index + 1))
  const spent = (await Promise.all([first, ...others])).map((one) => one.spent)
  expect(connect.mock.calls.length).toBe(2)
  // Each is told of its own wishes.
  expect(spent.slice(0, 30).flat()).toEqual(Array.from({ length: 60 }))
  expect(spent.slice(30)).toEqual(Array.from({ length: 20 }, () => ['all', 'all']))
  expect((await book.today('all')).gas).toBe(60)
})

test('who is refused leaves no row', async () => {
  await using opened = await onPostgres()
  const { book, pool } = opened
  const refused = Array.from({ length: 5 }, (_, index) => wish(20, [`payer ${index}`, 100], ['all', 10]))
  expect((await book.take([...refused, wish(1, ['b', 10])])).spent.at(-1)).toBeUndefined()
  const { rows } = await pool.query<{ key: string }>('select key from gas_spent')
  expect(rows).toEqual([{ key: 'b' }])
})

test('a transaction that the store refuses counts nothing, and those who wait are counted in the next', async () => {
  await using opened = await onPostgres()
  const { book } = opened
  const take = (gas: number) => book.take([wish(gas, ['a', 10])])
  const failing = Promise.allSettled([take(Number.NaN)])
  await begun()
  const [[first], others] = await Promise.all([failing, Promise.allSettled([take(1), take(1)])])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } })
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect((await book.today('a')).gas).toBe(2)
})

test('no more wait than a thousand: whoever comes then is refused, and nothing is counted', async () => {
  await using opened = await onPostgres()
  const { book } = opened
  const takes = await Promise.allSettled(Array.from({ length: 1_100 }, () => book.take([wish(1, ['all', 9_999])])))
  const refused = takes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(100)
  expect(refused[0]).toMatchObject({ reason: { code: 'store_unavailable', details: { broadcast: false } } })
  expect((await book.today('all')).gas).toBe(1_000)
})

test('a connection over which a count failed is given up, and nobody waits for it', async () => {
  await using opened = await onPostgres()
  const { book, pool } = opened
  await book.take([wish(1, ['a', 10])])
  expect(pool.totalCount).toBe(1)
  await expect(book.take([wish(Number.NaN, ['a', 10])])).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(pool.totalCount).toBe(0)
})
