import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../src/store/ask.ts'
import { migrate } from '../src/store/migrations.ts'

async function database(): Promise<Pool> {
  const made = await createTestDatabase()
  onTestFinished(() => made[Symbol.asyncDispose]())
  const pool = new Pool({ connectionString: made.url, max: 4 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  await migrate(pool)
  return pool
}

test('an older facilitator refuses a database that a newer one has migrated', async () => {
  const pool = await database()
  await migrate(pool)
  await pool.query('insert into facilitator_migrations (version) values (9000)')
  await expect(migrate(pool)).rejects.toThrow('a newer version of the facilitator has migrated this database')
})

test('a statement that was prepared before a migration is prepared anew, on every connection', async () => {
  const pool = await database()
  const read = (): Promise<object[]> => ask(pool, 'all-accounts', 'select * from account_leases', [])
  await Promise.all([read(), read(), read(), read()])
  await pool.query(
    "alter table account_leases add column later text; insert into account_leases values ('0x1', 1, 'b')",
  )
  for (const rows of await Promise.all([read(), read(), read(), read(), read()]))
    expect(rows).toEqual([{ account: '0x1', epoch: '1', later: 'b' }])
})
