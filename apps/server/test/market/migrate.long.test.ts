import { readdirSync } from 'node:fs'
import { createTestDatabase, ownClock } from '@ergon/dev-env/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { contracts, createPool, migrate, ownMigrations, type Migration } from '../../src/adapters/postgres/index.ts'

/** A schema grows beside whoever uses it, and what it grew from is never another one (decision 0118). */

const step = (name: string, sql: string): Migration => ({ name, sql })
const first = step('0001-things', 'create table things (id int primary key)')
const second = step('0002-colours', 'alter table things add column colour text')

async function database() {
  const made = await createTestDatabase()
  onTestFinished(() => made[Symbol.asyncDispose]())
  const pool = createPool(made.url)
  onTestFinished(() => pool.end())
  const other = new pg.Client({ connectionString: made.url })
  await other.connect()
  onTestFinished(() => other.end())
  return { pool, other }
}

test('while it waits for a table it holds nobody up for longer than its lock waits', async () => {
  const { pool, other } = await database()
  await migrate(pool, { steps: [first] })
  await other.query('begin')
  await other.query('select * from things')
  const migrating = migrate(pool, { steps: [first, second], lockMs: 200 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const ownMs = ownClock()
  await pool.query('select * from things')
  expect(await ownMs()).toBeLessThan(1_000)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect((await pool.query('select * from migrations')).rowCount).toBe(1)
  await other.query('commit')
  await migrating
  expect((await pool.query('select colour from things')).rowCount).toBe(0)
})

test('what never lets go is named, and nothing is left half done', async () => {
  const { pool, other } = await database()
  await migrate(pool, { steps: [first] })
  await other.query('begin')
  await other.query('select * from things')
  await expect(migrate(pool, { steps: [first, second], lockMs: 100, limitMs: 100 })).rejects.toThrow(
    'the migration 0002-colours did not get its locks within 0.1 s: end what holds them',
  )
  await other.query('commit')
  await migrate(pool, { steps: [first, second] })
})

test('a migration that was changed after it was applied is refused', async () => {
  const { pool } = await database()
  await migrate(pool, { steps: [first] })
  await expect(migrate(pool, { steps: [step(first.name, `${first.sql};`)] })).rejects.toThrow(
    'the migration 0001-things of this database is another one than that of this version',
  )
})

test('what an older version applied without a digest gets one', async () => {
  const { pool } = await database()
  await pool.query('create table migrations (name text primary key, at timestamptz not null default now())')
  await pool.query("create table things (id int primary key); insert into migrations values ('0001-things')")
  await migrate(pool, { steps: [first] })
  expect((await pool.query<{ checksum: string }>('select checksum from migrations')).rows[0]?.checksum).toHaveLength(64)
})

test('an older version lives beside what expands, and refuses what contracts', async () => {
  const { pool } = await database()
  await migrate(pool, { steps: [first, second] })
  const told: (readonly string[])[] = []
  await migrate(pool, { steps: [first], onNewer: (names) => told.push(names) })
  expect(told).toEqual([['0002-colours']])
  const third = step('0003-no-colours', '-- contract\nalter table things drop column colour')
  await migrate(pool, { steps: [first, second, third] })
  await expect(migrate(pool, { steps: [first, second] })).rejects.toThrow(
    'a newer version took away what this one uses (0003-no-colours)',
  )
})

const folder = new URL('../../src/adapters/postgres/migrations/', import.meta.url)
const narrows =
  /\bdrop\s+(table|column|constraint|type|function|view)\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b|\badd\s+column\s+(if\s+not\s+exists\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/i

test('every migration is applied, in the order of its number', async () => {
  const { pool } = await database()
  await migrate(pool)
  const applied = await pool.query<{ name: string }>('select name from migrations order by at, name')
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  expect(applied.rows.map(({ name }) => `${name}.sql`)).toEqual(files.toSorted())
})

test('since the rule is in force, a migration that removes or narrows says so', () => {
  const bound = ownMigrations().filter(({ name }) => name >= '0045')
  expect(bound.length).toBeGreaterThan(0)
  expect(
    bound.filter((one) => narrows.test(withoutDefaults(one.sql)) && !contracts(one)).map(({ name }) => name),
  ).toEqual([])
  expect(
    ['drop table a', 'alter table a alter column b type int', 'alter table a add column b int not null'].every((sql) =>
      narrows.test(sql),
    ),
  ).toBe(true)
  expect(narrows.test(withoutDefaults('alter table a add column b int not null default 0'))).toBe(false)
})

/** A column that must be there may be added when it fills itself in. */
function withoutDefaults(sql: string): string {
  return sql.replaceAll(/\bnot\s+null\s+default\b/gi, 'default')
}
