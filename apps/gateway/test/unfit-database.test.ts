import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway, decideConfig, readSecrets } from '../src/index.ts'
import { openDatabase } from '../src/store/database.ts'
import { price, seller } from './harness.ts'

/** Decision 0291; what else is refused is seen in `apps/server/test/database`. */

async function databaseWith(statement: string): Promise<string> {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const pool = new Pool({ connectionString: database.url })
  await pool.query(statement)
  await pool.end()
  return database.url
}

test('a gateway does not begin in the database of a server', async () => {
  const env = {
    DATABASE_URL: await databaseWith('create table event_epoch (epoch bigint)'),
    GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: 'http://127.0.0.1:1',
    GATEWAY_LOG_LEVEL: 'silent',
  }
  const config = decideConfig(env)
  await expect(createGateway(config, readSecrets(env, config))).rejects.toThrow(/is that of the server: give each/)
})

test('a database that refuses a step of the schema is a sentence, and no stack', async () => {
  const env = {
    DATABASE_URL: await databaseWith('create table gateway_migrations (step integer)'),
    GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: 'http://127.0.0.1:1',
    GATEWAY_LOG_LEVEL: 'silent',
  }
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([said, exitCode]).toEqual([
    'gateway: the database of DATABASE_URL did not do what was asked of it: column "version" does not exist\n',
    1,
  ])
})

test('a gateway is told one host of its database, as the other services are', () => {
  const env = {
    GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: 'http://a',
  }
  const decide = (url: string) => () => decideConfig({ ...env, DATABASE_URL: url })
  expect(decide('postgres://ergon@a,b/ergon')).toThrow('DATABASE_URL names several hosts')
  expect(decide('ergon')).toThrow('DATABASE_URL must be a postgres:// URL')
})

test('what a gateway is told it has charged outlives a crash, whatever its role is told', async () => {
  const url = await databaseWith(`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
    execute format('alter database %I set client_encoding = latin1', current_database()); end $$`)
  const database = openDatabase(url, { info: () => undefined, warn: () => undefined, error: () => undefined })
  onTestFinished(() => database.end())
  expect(await database.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
  expect(await database.query("select 'Ω' as letter")).toEqual([{ letter: 'Ω' }])
})
