import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../src/store/ask.ts'
import { migrate } from '../src/store/migrations.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'

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
    "alter table account_leases add column later text; insert into account_leases (account, epoch, later) values ('0x1', 1, 'b')",
  )
  for (const rows of await Promise.all([read(), read(), read(), read(), read()]))
    expect(rows).toMatchObject([{ account: '0x1', epoch: '1', later: 'b' }])
})

test('after the step to depths a start reads what ended within a day and what is open, and what the version before settles', async () => {
  const pool = await database()
  const account = `0x${'ab'.repeat(20)}` as const
  // As the version before left it.
  await pool.query(
    `alter table account_leases drop column place, drop column went_back_at;
    drop function database_place();
    alter table intents drop column is_deep;
    delete from facilitator_migrations where version >= (select max(version) - 1 from facilitator_migrations);
    insert into intents (id, network, kind, sameness, request_hash, account, account_nonce, transactions, call,
      expectations, status, outcome, settled_at)
    select gen_random_uuid(), 'localnet', 'exact', '', '', '${account}', nonce, '[]', '{}', '[]', status, '{}',
      now() - age::interval
    from (values (1, 'succeeded', '25 hours'), (2, 'succeeded', '23 hours'), (3, 'failed', '1 hour'),
      (4, 'sent', null)) as given (nonce, status, age)`,
  )
  await migrate(pool)
  const intents = createIntentStore(pool)
  const shallow = async (): Promise<readonly number[]> => {
    const rows = await intents.shallow('localnet', account, 0, 10)
    return rows.map(({ intent }) => intent.accountNonce)
  }
  expect(await shallow()).toEqual([2])
  await pool.query(
    `insert into intents (id, network, kind, sameness, request_hash, account, account_nonce, transactions, call,
      expectations, status)
    values (gen_random_uuid(), 'localnet', 'exact', '', '', '${account}', 5, '[]', '{}', '[]', 'sent')`,
  )
  // What was deep and is opened again by this version may land under the version before.
  await pool.query(
    `insert into intents (id, network, kind, sameness, request_hash, account, account_nonce, transactions, call,
      expectations, status, outcome, settled_at, is_deep)
    values (gen_random_uuid(), 'localnet', 'exact', '', '', '${account}', 6, '[]', '{}', '[]', 'succeeded', '{}',
      now(), true)`,
  )
  expect(await intents.reopen('localnet', account, 6, 0)).toHaveLength(1)
  await pool.query(
    `update intents set status = 'succeeded', outcome = '{}', settled_at = now(), missed_at = null
    where status = 'sent'`,
  )
  expect(await shallow()).toEqual([2, 4, 5, 6])
})
