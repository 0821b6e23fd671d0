import { createTestDatabase } from '@ergon/dev-env/testing'
import pg, { type Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'

/** Decision 0272: a connection is told of the columns of a statement once. */
const stack = new AsyncDisposableStack()
let url: string
let pool: Pool
beforeAll(async () => {
  const database = stack.use(await createTestDatabase())
  url = database.url
  pool = stack.adopt(createPool(url, { size: 1 }), (one) => one.end())
})
afterAll(() => stack.disposeAsync())
beforeEach(async () => {
  await pool.query('drop table if exists kept')
  await pool.query('create table kept (id bigint primary key, at timestamptz, words text[], made jsonb)')
})

/** How often the one connection of the pool asks what columns there are. */
async function watchDescribes(): Promise<() => number> {
  const client = (await pool.connect()) as PoolClient & { connection: { describe(what: unknown): void } }
  const asked = vi.spyOn(client.connection, 'describe')
  client.release()
  return () => asked.mock.calls.length
}

const all = (name: string) => ({ name, text: 'select * from kept where id >= $1 order by id', values: [0] })

test('what is asked for again is answered alike, and described once', async () => {
  await pool.query(`insert into kept values (1, '2026-11-29T01:02:03Z', '{a,b}', '{"a": 1}'), (2, null, null, null)`)
  const described = await watchDescribes()
  const [first, ...later] = [
    await pool.query(all('alike')),
    await pool.query(all('alike')),
    await pool.query(all('alike')),
  ]
  expect(described()).toBe(1)
  const rows = [
    { id: 1n, at: new Date('2026-11-29T01:02:03Z'), words: ['a', 'b'], made: { a: 1 } },
    { id: 2n, at: null, words: null, made: null },
  ]
  for (const answer of [first, ...later]) {
    expect(answer.rows).toEqual(rows)
    expect(answer).toMatchObject({ command: 'SELECT', rowCount: 2 })
    expect(answer.fields.map(({ name }) => name)).toEqual(['id', 'at', 'words', 'made'])
  }
})

test('a row is the plain object that the driver makes of it', async () => {
  await pool.query(`insert into kept values (1, '2026-11-29T01:02:03Z', '{a,b}', '{"a": 1}')`)
  const plain = new pg.Client({ connectionString: url })
  await plain.connect()
  const [theirs] = (await plain.query<object>('select at, words, made from kept')).rows
  await plain.end()
  for (let time = 0; time < 2; time += 1) {
    const [own] = (await pool.query<object>({ name: 'plain', text: 'select at, words, made from kept', values: [] }))
      .rows
    expect(own).toStrictEqual(theirs)
  }
})

test('asked for side by side before it is known, each has its answer', async () => {
  const described = await watchDescribes()
  const client = await pool.connect()
  const answers = await Promise.all(
    [1, 2, 3].map((n) => client.query({ name: 'one', text: 'select $1::int as n', values: [n] })),
  )
  client.release()
  expect(answers.map(({ rows }) => rows as unknown)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  expect(described()).toBe(3)
})

test('what answers no columns is known as well', async () => {
  const described = await watchDescribes()
  for (const id of [1, 2, 3]) {
    const put = await pool.query({ name: 'put', text: 'insert into kept (id) values ($1)', values: [id] })
    expect([put.command, put.rowCount, put.rows]).toEqual(['INSERT', 1, []])
  }
  expect(described()).toBe(1)
})

test('a statement that failed is told of its columns when it succeeds', async () => {
  const divide = (by: number) =>
    pool.query<{ n: number }>({ name: 'divide', text: 'select 6 / $1::int as n', values: [by] })
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(2)).rows).toEqual([{ n: 3 }])
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(3)).rows).toEqual([{ n: 2 }])
})

test('a value that cannot be sent spoils nothing that comes after it', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const ask = (value: unknown) => pool.query({ name: 'value', text: 'select $1::jsonb as made', values: [value] })
  expect((await ask({ a: 1 })).rows).toEqual([{ made: { a: 1 } }])
  await expect(ask(circle)).rejects.toThrow(/circular/i)
  expect((await ask({ a: 2 })).rows).toEqual([{ made: { a: 2 } }])
})

test('a column that a migration has added is in the answer', async () => {
  await pool.query('insert into kept (id) values (1)')
  await pool.query(all('grown'))
  await pool.query('alter table kept add column more integer default 7')
  expect((await pool.query(all('grown'))).rows).toEqual([{ id: 1n, at: null, words: null, made: null, more: 7 }])
})

test('an error has the stack of whoever asked', async () => {
  async function theAsker(): Promise<void> {
    await pool.query({ name: 'asker', text: 'select 1 / $1::int', values: [0] })
  }
  const error: unknown = await theAsker().catch((thrown: unknown) => thrown)
  expect((error as Error).stack).toContain('theAsker')
})
