import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'

/** Decision 0303: a connection that lives for a year is as large as one of today. */
const stack = new AsyncDisposableStack()
let pool: Pool
beforeAll(async () => {
  const database = stack.use(await createTestDatabase())
  pool = stack.adopt(createPool(database.url, { size: 1 }), (one) => one.end())
})
afterAll(() => stack.disposeAsync())

const long = 10_000
/** A statement of ten thousand characters; a connection keeps thirteen of them. */
const statement = (name: string, text: string) => ({ name, text: text.padEnd(long), values: [] })
const ask = async (name: string): Promise<void> => {
  const { rows } = await pool.query<{ said: string }>(statement(name, `select '${name}' as said`))
  expect(rows).toEqual([{ said: name }])
}
/** What the one connection has planned, as the database has it. */
const planned = async (): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements')
  return rows.map(({ name }) => name)
}
const flood = async (kind: string): Promise<void> => {
  for (let index = 0; index < 40; index += 1) await ask(`${kind}-${String(index)}`)
}

test('a connection keeps the plans that were used last, and lets go of the others', async () => {
  await ask('often')
  for (let index = 0; index < 40; index += 1) {
    await ask(`seldom-${String(index)}`)
    await ask('often')
  }
  const names = await planned()
  expect(names.length).toBeLessThan(20)
  expect(names).toEqual(expect.arrayContaining(['often', 'seldom-39']))
  expect(names).not.toContain('seldom-0')
  await ask('seldom-0')
})

test('what was let go of is read by the columns that it has when it is asked again', async () => {
  const all = statement('all', 'select * from kept')
  await pool.query("create table kept as select 'one' as first")
  for (let time = 0; time < 2; time += 1) expect((await pool.query<object>(all)).rows).toEqual([{ first: 'one' }])
  await flood('between')
  await pool.query('alter table kept add column second int')
  await pool.query('update kept set second = 2')
  for (let time = 0; time < 2; time += 1)
    expect((await pool.query<object>(all)).rows).toEqual([{ first: 'one', second: 2 }])
})

test('many at once, in a transaction that fails in their middle, leave the connection as it was', async () => {
  await flood('before')
  const client: PoolClient = await pool.connect()
  await client.query('begin')
  const asked = Array.from({ length: 40 }, (_, index) =>
    client.query(statement(`at-once-${String(index)}`, index === 20 ? 'select 1 / 0' : `select ${String(index)} as n`)),
  )
  const ends = await Promise.allSettled(asked)
  await client.query('rollback')
  client.release()
  expect(ends.map(({ status }) => status)).toEqual(ends.map((_, index) => (index < 20 ? 'fulfilled' : 'rejected')))
  await flood('after')
  await ask('before-0')
  for (const index of [0, 19, 21, 39]) {
    const { rows } = await pool.query<object>(statement(`at-once-${String(index)}`, `select ${String(index)} as n`))
    expect(rows).toEqual([{ n: index }])
  }
  expect((await planned()).length).toBeLessThan(20)
})
