import { queryDatabase } from '@ergon/dev-env'
import { startCluster, startPooler, type Cluster } from '@ergon/dev-env/testing'
import { localRoles } from '@ergon/contracts'
import * as facilitator from '@ergon/facilitator'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/adapters/postgres/index.ts'
import { createApp, decideConfig, readEnv, readSecrets } from '../../src/index.ts'

/** Decision 0291: a database that breaks something without a word is refused by both services before they begin. */

const key = '0x8f2a64c01be97d35a6e80c4f1729d3b05e6c81fa740d92b3c8e15f6a0d47b92e'
const nowhere = 'http://127.0.0.1:1'

async function serverAt(url: string, network = 'localnet'): Promise<string> {
  const raw = readEnv({
    ...{ DATABASE_URL: url, SVC_DATABASE_WAIT_MS: '1000', SVC_FACILITATOR_URL: nowhere, SVC_LOG_LEVEL: 'fatal' },
    ...{ SVC_NETWORKS: network, [`SVC_RPC_${network.toUpperCase()}`]: nowhere, SVC_ORDER_SIGNER_KEY: key },
    ...{ SVC_BASE_URL: 'https://market.example', SVC_SECRET: '8c1f0a6be92d47b3a5de6617c0f2948bd03a7e51' },
  })
  const config = decideConfig(raw)
  return fateOf(createApp(config, readSecrets(raw, config), { unproven: true }))
}

async function facilitatorAt(url: string, network = 'localnet'): Promise<string> {
  const env = {
    ...{ DATABASE_URL: url, FACILITATOR_DATABASE_WAIT_MS: '1000', FACILITATOR_LOG_LEVEL: 'fatal' },
    ...{ FACILITATOR_NETWORKS: network, [`FACILITATOR_RPC_${network.toUpperCase()}`]: nowhere },
    ...{ FACILITATOR_KEY: network === 'localnet' ? localRoles.facilitator.privateKey : key, FACILITATOR_PORT: '0' },
  }
  const config = facilitator.decideConfig(facilitator.readEnv(env))
  return fateOf(facilitator.createFacilitator(config, facilitator.readSecrets(env)))
}

/** What a start ends in: the sentence for whoever started it. */
async function fateOf(starting: Promise<AsyncDisposable>): Promise<string> {
  const [outcome] = await Promise.allSettled([starting])
  if (outcome.status === 'rejected') {
    const { name, message } = outcome.reason as Error
    return `${name}: ${message}`
  }
  await outcome.value[Symbol.asyncDispose]()
  return 'it started'
}

async function expectRefused(url: string, sentence: RegExp): Promise<void> {
  const [server, other] = await Promise.all([serverAt(url), facilitatorAt(url)])
  expect(server).toMatch(new RegExp(`^ConfigError: ${sentence.source}`))
  expect(other).toMatch(new RegExp(`^StartupError: ${sentence.source}`))
}

let cluster: Cluster
const ask = (statement: string, database = 'postgres') => queryDatabase(cluster.url(database), statement)
const as = (role: string, database: string) => cluster.url(database).replace('//ergon@', `//${role}@`)

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster[Symbol.asyncDispose]())

test.each(['SQL_ASCII', 'LATIN1'])('a database in %s is refused', async (encoding) => {
  await ask(`create database in_${encoding} encoding ${encoding} template template0`)
  const database = `in_${encoding.toLowerCase()}`
  await expectRefused(cluster.url(database), new RegExp(`the database ${database} is in ${encoding}: create it anew`))
})

test('a role that may create no tables is told to own the database', async () => {
  await ask('create database given')
  await ask('create role guest login')
  await expectRefused(as('guest', 'given'), /.*alter database given owner to guest/)
})

test('a role with fewer connections than a process opens is refused', async () => {
  await ask('create role few login connection limit 4')
  await ask('create database narrow owner few')
  expect(await serverAt(as('few', 'narrow'))).toMatch(/the role few may open 4 connections to narrow, .* needs 11/)
  expect(await facilitatorAt(as('few', 'narrow'))).toMatch(/the role few may open 4 connections to narrow, .* needs 5/)
})

test('tables that another search_path hides are not made anew', async () => {
  await ask('create database moved')
  const pool = new Pool({ connectionString: cluster.url('moved') })
  onTestFinished(() => pool.end())
  await migrate(pool)
  await ask('create table account_leases (account text)', 'moved')
  await ask('create schema erika', 'moved')
  await ask('alter database moved set search_path = erika, public')
  await expectRefused(cluster.url('moved'), /the tables are in the schema public of moved/)
  expect(await ask("select from pg_tables where schemaname = 'erika'", 'moved')).toEqual([])
})

test('a service does not begin anew in the database of another', async () => {
  await ask('create database markets')
  await ask('create table event_epoch (epoch bigint)', 'markets')
  await ask('create database payments')
  await ask('create table account_leases (account text)', 'payments')
  expect(await facilitatorAt(cluster.url('markets'))).toMatch(/the database markets is that of the server/)
  expect(await serverAt(cluster.url('payments'))).toMatch(/the database payments is that of the facilitator/)
})

test('a database that takes no writes is named', async () => {
  await ask('create database frozen')
  await ask('alter database frozen set default_transaction_read_only = on')
  await expectRefused(cluster.url('frozen'), /the database frozen takes no writes: set default_transaction_read_only/)
  await using follower = await cluster.follower()
  await expectRefused(follower.url('postgres'), /the database of DATABASE_URL is a standby: name the primary/)
})

test.each(['transaction', 'statement'] as const)(
  'a pooler that lends connections out by the %s is refused',
  async (mode) => {
    await ask(`create database by_${mode}`)
    for (const settings of [{}, { server_round_robin: '1', min_pool_size: '5' }]) {
      await using pooler = await startPooler(cluster.url('postgres'), mode, settings)
      await expectRefused(pooler.url(`by_${mode}`), /a pooler lends the connections .*PgBouncer: pool_mode = session/)
    }
    expect(await ask('select from pg_tables where schemaname = current_schema()', `by_${mode}`)).toEqual([])
  },
)

test('a role that leaves triggers and foreign keys out is refused', async () => {
  await ask('create database copied')
  await ask("alter database copied set session_replication_role = 'replica'")
  await expectRefused(cluster.url('copied'), /session_replication_role is replica for the role ergon: set it back/)
})

test('indexes of another order of texts are refused where money is real', async () => {
  await using flushed = await startCluster({ settings: { fsync: 'on' } })
  const icu = "locale 'C.UTF-8' locale_provider icu icu_locale 'sv' template template0"
  await queryDatabase(flushed.url('postgres'), `create database sorted ${icu}`)
  await queryDatabase(flushed.url('postgres'), "update pg_database set datcollversion = '1' where datname = 'sorted'")
  const sentence = /an upgrade of the system changed the order of texts under sorted, and base is a real network/
  expect(await serverAt(flushed.url('sorted'), 'base')).toMatch(sentence)
  expect(await facilitatorAt(flushed.url('sorted'), 'base')).toMatch(sentence)
})

test('a cluster that does not flush is refused where money is real', async () => {
  await ask('create database unflushed')
  const sentence = /fsync is off, and base is a real network: .* Turn it on/
  expect(await serverAt(cluster.url('unflushed'), 'base')).toMatch(sentence)
  expect(await facilitatorAt(cluster.url('unflushed'), 'base')).toMatch(sentence)
})
