import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGasBook } from '../src/gas/gas-book.ts'
import { createStandingBook } from '../src/store/postgres-standing.ts'
import type { StandingUse } from '../src/store/standing-book.ts'
import { startPgProxy, type PgProxy } from './pg-proxy.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

/** What is counted beside payments: a count is written, and its answer lost. */
const stack = new AsyncDisposableStack()
let line: PgProxy
let pool: Pool
let aside: Pool
beforeAll(async () => {
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  aside = new Pool({ connectionString: database.url, max: 1 })
  stack.defer(() => aside.end())
  line = stack.use(await startPgProxy(database.url))
  pool = new Pool({ connectionString: line.url, max: 2, pipeline: true })
  pool.on('error', () => undefined)
  // As the service does, whose connections are lent out when their line is cut.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  stack.defer(() => pool.end())
})
afterAll(() => stack.disposeAsync())

/** Does it, and loses the answer to this statement once. */
async function losing(statement: string, work: () => Promise<unknown>): Promise<void> {
  let isLost = false
  line.decide = (question) => {
    if (isLost || !question.includes(`${statement}\0`)) return 'carry'
    isLost = true
    return 'lose-answer'
  }
  await expect(work()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(isLost).toBe(true)
}

const use = (order: string, payment: string): StandingUse => ({
  ...{ order, network: 'localnet', payer: '0xpayer', payment, amount: 5n, maxTotal: 5n, maxCount: 1 },
  notAfter: Math.floor(Date.now() / 1_000) + 3_600,
  onceKey: `once ${order} ${payment}`,
})
const counted = async (order: string): Promise<unknown> =>
  (await aside.query('select uses, spent::text from standing_orders where order_hash = $1', [order])).rows[0]
const threeDaysPass = () => aside.query("update standing_uses set reserved_at = reserved_at - interval '3 days'")

test('a place whose taking was not heard of is found by the same payment, and given back when nothing came of it', async () => {
  const [book, one, other] = [createStandingBook(pool), use('taken', 'a'), use('taken', 'b')]
  await losing('standing-take', () => book.hold(one))
  expect(await book.hold(one)).toBe('held')
  expect(await counted('taken')).toEqual({ uses: 1, spent: '5' })
  await book.drop(one)
  // Whoever took it first may still send the payment, as far as anybody knows.
  expect(await book.hold(other)).toBe('spent')
  await threeDaysPass()
  await book.purge(10)
  expect(await counted('taken')).toEqual({ uses: 0, spent: '0' })
  expect(await book.hold(other)).toBe('held')
})

test('a place that was joined, kept or given back, and not heard of, is counted once', async () => {
  const book = createStandingBook(pool)
  const [kept, gone] = [use('kept', 'a'), use('gone', 'a')]
  await book.hold(kept)
  await losing('standing-join', () => book.hold(kept))
  expect(await book.hold(kept)).toBe('held')
  await losing('standing-keep', () => book.keep(kept))
  await threeDaysPass()
  await book.purge(10)
  expect(await counted('kept')).toEqual({ uses: 1, spent: '5' })
  await book.hold(gone)
  await losing('standing-drop', () => book.drop(gone))
  expect(await counted('gone')).toEqual({ uses: 0, spent: '0' })
})

test('an order that was taken back, and not heard of, stays taken back', async () => {
  const [book, one] = [createStandingBook(pool), use('back', 'a')]
  await losing('standing-revoke', () => book.revoke(one))
  expect(await book.revoke(one)).toBe(0)
  expect(await book.hold(one)).toBe('revoked')
})

test('gas whose counting was not heard of is counted again, and never past what a day may cost', async () => {
  const book = createGasBook(pool)
  const take = () => book.take([{ gas: 40, counts: [{ key: 'all', most: 100 }] }])
  await losing('commit', take)
  expect((await take()).spent).toEqual([undefined])
  expect((await book.today('all')).gas).toBe(80)
  expect((await take()).spent).toEqual(['all'])
  expect((await book.today('all')).gas).toBe(80)
})
