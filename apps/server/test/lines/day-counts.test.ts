import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDayCounts, shareOut, type DayAsk, type TakeToday } from '../../src/adapters/postgres/day-counts.ts'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { openStageDatabase, type StageDatabase } from '../market/stage-database.ts'

let database: StageDatabase
beforeAll(async () => {
  database = await openStageDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from registration_counts')
})

const inAll = (limit: number): DayAsk => ({ counts: [{ by: 'all', counted: 'all', amount: 1, limit }] })
const ofWallet = (wallet: string, perWallet: number, limit: number): DayAsk => ({
  counts: [{ by: 'wallet', counted: wallet, amount: 1, limit: perWallet }, ...inAll(limit).counts],
})
const times = async (n: number, take: TakeToday, ask: (index: number) => DayAsk) => {
  const spent = await Promise.all(Array.from({ length: n }, (_, index) => take(ask(index))))
  return { taken: spent.filter((one) => one === null).length, refusedBy: new Set(spent.map((one) => one?.by)) }
}
const rows = async () => {
  const kept = await database.pool.query<{ counted: string; used: number }>(
    'select counted, used from registration_counts order by counted',
  )
  return Object.fromEntries(kept.rows.map(({ counted, used }) => [counted, used]))
}

test('who asks while others are counted shares the next transaction, and holds no connection meanwhile', async () => {
  const connect = vi.spyOn(database.pool, 'connect')
  try {
    expect(await times(100, createDayCounts(database.pool), () => inAll(0))).toMatchObject({ taken: 100 })
    // A hundred connections otherwise; a slow machine may begin one beside the first.
    expect(connect.mock.calls.length).toBeLessThan(10)
  } finally {
    connect.mockRestore()
  }
  expect(await rows()).toEqual({ all: 100 })
})

test('of those who ask at once of two servers as many are taken as there is room for, and no more are counted', async () => {
  const other = createPool(database.databaseUrl)
  try {
    const [one, two] = await Promise.all([
      times(60, createDayCounts(database.pool), (index) => ofWallet(`a${String(index % 7)}`, 5, 40)),
      times(60, createDayCounts(other), (index) => ofWallet(`b${String(index % 7)}`, 5, 40)),
    ])
    expect(one.taken + two.taken).toBe(40)
    const { all, ...wallets } = await rows()
    expect(all).toBe(40)
    expect(Object.values(wallets).reduce((sum, used) => sum + used, 0)).toBe(40)
    expect(Math.max(...Object.values(wallets))).toBeLessThanOrEqual(5)
  } finally {
    await other.end()
  }
})

test('servers that count the same in another order do not wait for one another', async () => {
  const other = createPool(database.databaseUrl)
  try {
    const [one, two] = [createDayCounts(database.pool), createDayCounts(other)]
    const names = Array.from({ length: 200 }, (_, index) => `w${String(index).padStart(3, '0')}`)
    const backwards = names.toReversed()
    for (let round = 0; round < 10; round += 1)
      await Promise.all([
        times(200, one, (index) => ofWallet(names[index] ?? '', 0, 0)),
        times(200, two, (index) => ofWallet(backwards[index] ?? '', 0, 0)),
      ])
  } finally {
    await other.end()
  }
  expect((await rows())['all']).toBe(4_000)
})

test('who was refused leaves no row, and takes nothing from the others', async () => {
  const take = createDayCounts(database.pool)
  await times(3, take, () => inAll(3))
  expect(await times(20, take, (index) => ofWallet(`w${String(index)}`, 1, 3))).toEqual({
    taken: 0,
    refusedBy: new Set(['all']),
  })
  expect(await rows()).toEqual({ all: 3 })
  // Some of one transaction are refused, and the others are kept.
  expect(await times(9, take, (index) => ofWallet(`w${String(index % 3)}`, 1, 100))).toEqual({
    taken: 3,
    refusedBy: new Set([undefined, 'wallet']),
  })
  expect(await rows()).toEqual({ all: 6, w0: 1, w1: 1, w2: 1 })
  expect(await times(2, take, (index) => ofWallet(`x${String(index)}`, 1, 7))).toMatchObject({ taken: 1 })
  expect(await rows()).toEqual({ all: 7, w0: 1, w1: 1, w2: 1, x0: 1 })
})

test('what is counted once a day takes nothing again; a refusal is not remembered as a count', async () => {
  const take = createDayCounts(database.pool)
  const once = (limit: number): DayAsk => ({ once: 'ada', ...inAll(limit) })
  await times(1, take, () => inAll(0))
  expect(await times(5, take, () => once(1))).toMatchObject({ taken: 0 })
  expect(await rows()).toEqual({ all: 1 })
  expect(await times(5, take, () => once(2))).toMatchObject({ taken: 5 })
  expect(await times(5, take, () => once(1))).toMatchObject({ taken: 5 })
  expect(await rows()).toEqual({ ada: 1, all: 2 })
})

test('the day ends in the future, by the clock of the database', async () => {
  const take = createDayCounts(database.pool)
  await take(inAll(1))
  const { rows: at } = await database.pool.query<{ now: Date }>('select now()')
  const spent = await take(inAll(1))
  expect(spent).toMatchObject({ by: 'all', limit: 1 })
  const seconds = ((spent?.reset.getTime() ?? 0) - (at[0]?.now.getTime() ?? 0)) / 1_000
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  expect(spent?.secondsLeft).toBeLessThanOrEqual(86_400)
})

/** One after the other, each in a transaction of its own. */
function oneByOne(asks: readonly DayAsk[], before: ReadonlyMap<string, number>) {
  let used = new Map(before)
  return asks.map((ask) => {
    if (ask.once !== undefined && (used.get(ask.once) ?? 0) > 0) return null
    const next = new Map(used)
    if (ask.once !== undefined) next.set(ask.once, 1)
    for (const count of ask.counts) {
      next.set(count.counted, (next.get(count.counted) ?? 0) + count.amount)
      if (count.limit > 0 && (next.get(count.counted) ?? 0) > count.limit) return count
    }
    used = next
    return null
  })
}

test('many together get what each would have got alone', () => {
  const count = (by: 'wallet' | 'address' | 'all', names: readonly [string, ...string[]]) =>
    fc.record({
      by: fc.constant(by),
      counted: fc.constantFrom(...names),
      amount: fc.integer({ min: 1, max: 3 }),
      limit: fc.integer({ min: 0, max: 6 }),
    })
  const ask: fc.Arbitrary<DayAsk> = fc.record(
    {
      once: fc.constantFrom('o1', 'o2', 'o3'),
      counts: fc.tuple(count('wallet', ['w1', 'w2']), count('address', ['a1', 'a2']), count('all', ['all'])),
    },
    { requiredKeys: ['counts'] },
  )
  const before = fc.dictionary(fc.constantFrom('w1', 'a1', 'all', 'o1'), fc.integer({ min: 0, max: 4 }))
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 12 }), before, (asks, used) => {
      const known = new Map(Object.entries(used))
      expect(shareOut(asks, known, 0.5).spent.map((over) => over?.count ?? null)).toEqual(oneByOne(asks, known))
    }),
  )
})
