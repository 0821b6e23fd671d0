import { createTestDatabase } from '@ergon/dev-env/testing'
import { takeSteps } from '@ergon/process'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrations.ts'

async function stage(): Promise<{ readonly database: Database; readonly other: Pool; readonly url: string }> {
  const made = await createTestDatabase()
  onTestFinished(() => made[Symbol.asyncDispose]())
  const database = openDatabase(made.url, { warn: () => undefined, info: () => undefined, error: () => undefined })
  const other = new Pool({ connectionString: made.url, max: 1 })
  onTestFinished(async () => {
    await other.end()
    await database.end()
  })
  return { database, other, url: made.url }
}

/** What every process that migrates this database waits for. */
const lock = 7_128_403

test('a migration waits for what others hold, and goes on when they let go', async () => {
  const { database, other } = await stage()
  await other.query('select pg_advisory_lock($1)', [lock])
  const migrating = migrate(database.pool, { lockMs: 100 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await other.query('select pg_advisory_unlock($1)', [lock])
  await migrating
  expect(await database.query('select 1 from channels')).toEqual([])
})

test('a migration that never gets its locks says so', async () => {
  const { database, other } = await stage()
  await other.query('select pg_advisory_lock($1)', [lock])
  await expect(migrate(database.pool, { lockMs: 100, limitMs: 300 })).rejects.toThrow(
    'the migration did not get its locks: end what holds them',
  )
})

test('a step may take longer than anything else that is asked, and what fails leaves nothing', async () => {
  const { url } = await stage()
  const hurried = new Pool({ connectionString: url, max: 1, query_timeout: 300 })
  onTestFinished(() => hurried.end())
  const steps = (...own: readonly string[]) => ({
    ...{ table: 'some_migrations', lock: 1, steps: own },
    ...{ tooNew: () => new Error('too new'), held: () => new Error('held') },
  })
  const slow = 'select pg_sleep(1); create table slowly (one integer)'
  await takeSteps(hurried, steps(slow))
  await expect(takeSteps(hurried, steps(slow, 'create table half (one integer)', 'no sql'))).rejects.toThrow('syntax')
  await takeSteps(hurried, steps(slow, 'create table whole (one integer)'))
  const { rows } = await hurried.query(
    "select relname::text as name from pg_class where relname in ('slowly', 'half', 'whole') order by relname",
  )
  expect(rows).toEqual([{ name: 'slowly' }, { name: 'whole' }])
  await expect(takeSteps(hurried, steps(slow))).rejects.toThrow('too new')
})
