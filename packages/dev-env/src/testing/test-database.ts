import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { inject } from 'vitest'
import type {} from './global-setup.ts'
import { overConnection } from '../postgres/over-connection.ts'
import { startPostgres } from '../postgres/postgres.ts'
import type { Postgres } from '../postgres/postgres.ts'

export type TestDatabase = AsyncDisposable & {
  /** The connection string, for a pool or a `DATABASE_URL`. */
  readonly url: string
  drop(): Promise<void>
}

export type TestDatabaseOptions = {
  /** Builds the schema; runs once for each `schema` name in a run, then the result is copied. */
  readonly migrate?: (url: string) => Promise<void>
  /** Names what `migrate` makes. Different migrations of one run need different names. */
  readonly schema?: string
}

let shared: Promise<Postgres> | undefined

/** The server of this test run; one of this file's own where the run has no global setup. Nobody needs to stop it. */
export function testPostgres(): Promise<Postgres> {
  shared ??= openShared()
  return shared
}

async function openShared(): Promise<Postgres> {
  const door = inject('ergonPostgresDoor') as string | undefined // undefined in a run without the global setup
  if (door === undefined) return startPostgres({ durable: false, inMemory: true })
  const answer: unknown = JSON.parse(await text(connect(door)))
  if (typeof answer === 'object' && answer !== null && 'url' in answer && typeof answer.url === 'string') {
    return startPostgres({ externalUrl: answer.url })
  }
  throw new Error(`the PostgreSQL of this run did not start: ${JSON.stringify(answer)}`)
}

/** A database of one's own: empty, or a copy of the migrated template (tens of milliseconds for a whole schema). */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const postgres = await testPostgres()
  const template =
    options.migrate === undefined
      ? undefined
      : await ensureTemplate(postgres, options.schema ?? 'default', options.migrate)
  const name = `test_${randomBytes(6).toString('hex')}`
  await postgres.createDatabase(name, template)
  const drop = (): Promise<void> => postgres.dropDatabase(name)
  return { url: postgres.url(name), drop, [Symbol.asyncDispose]: drop }
}

/** Test files run side by side: an advisory lock lets one build the template while the others wait for it. */
function ensureTemplate(postgres: Postgres, schema: string, migrate: (url: string) => Promise<void>): Promise<string> {
  const key = createHash('sha256').update(schema).digest()
  const template = `template_${key.toString('hex').slice(0, 16)}`
  return overConnection(postgres.url('postgres'), async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [String(key.readBigInt64BE())])
    if (await postgres.hasDatabase(template)) return template
    const draft = `${template}_draft`
    await postgres.dropDatabase(draft)
    await postgres.createDatabase(draft)
    await migrate(postgres.url(draft))
    await untilUnused(client, draft)
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
    return template
  })
}

/**
 * A rename or a copy needs the database unused, and a migration's pool may still be closing its sessions: one that is
 * cut off meanwhile tells nobody but the process, which fails the run. Who stays is cut off.
 */
async function untilUnused(client: Client, database: string): Promise<void> {
  for (let asked = 0; asked < 200; asked += 1) {
    const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [database])
    if (rowCount === 0) return
    await pause(10)
  }
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database])
}
