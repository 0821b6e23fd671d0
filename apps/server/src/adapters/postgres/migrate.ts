import { isLockedOut } from '@ergon/process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { ConfigError } from '../../config/config-error.ts'

/** One step of the schema: its SQL, which runs in a transaction of its own. */
export type Migration = { readonly name: string; readonly sql: string }

export type MigrateOptions = {
  /** Those of this version, in order. */
  readonly steps?: readonly Migration[]
  /** Told of steps that a newer version made, which this one can live beside. */
  readonly onNewer?: (names: readonly string[]) => void
  /** How long a step waits for a lock before it lets go, and how long it tries again. */
  readonly lockMs?: number
  readonly limitMs?: number
}

/** Held while migrating, so that of several servers one does it. */
const lockKey = 7_210_451
/** Building an index may take longer than any request should. */
const patienceMs = 6 * 3_600_000
/** Whoever asks for a table waits behind whoever waits for its lock. */
const lockMs = 2_000
const limitMs = 5 * 60_000
const pauseMs = 1_000

/** A statement with a patience of its own, which the types of the driver do not know. */
function patiently(text: string, values?: unknown[]): QueryConfig & { readonly query_timeout: number } {
  return { text, query_timeout: patienceMs, ...(values === undefined ? {} : { values }) }
}

/** What removes or narrows says so in its first line (decision 0118). */
export function contracts({ sql }: Migration): boolean {
  return sql.startsWith('-- contract')
}

/** The files of the folder, in the order of their names. A released one never changes; the next one corrects it. */
export function ownMigrations(): readonly Migration[] {
  const folder = new URL('migrations/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.toSorted().map((file) => ({
    name: file.slice(0, -'.sql'.length),
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }))
}

/**
 * Brings the schema up to date; every migration in a transaction of its own.
 * @throws ConfigError when the database is of another history or of a version that this one cannot live beside
 */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<void> {
  const steps = options.steps ?? ownMigrations()
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // A step that a crash loses is done again, and whatever is flushed later is flushed after it.
    await client.query('set synchronous_commit = off')
    await client.query(patiently('select pg_advisory_lock($1)', [lockKey]))
    await keepBook(client)
    const { rows } = await client.query<Applied>('select name, checksum, contracts from migrations order by name')
    const newer = judge(steps, rows)
    if (newer.length > 0) options.onNewer?.(newer)
    const done = new Map(rows.map((row) => [row.name, row.checksum]))
    for (const step of steps) {
      if (!done.has(step.name)) await apply(client, step, { lockMs, limitMs, ...options })
      else if (done.get(step.name) === null)
        await client.query('update migrations set checksum = $2 where name = $1', [step.name, checksum(step)])
    }
  } finally {
    // The connection ends with its lock, its settings and, when something failed, its transaction.
    client.release(true)
  }
}

type Applied = { readonly name: string; readonly checksum: string | null; readonly contracts: boolean }

/** What was applied, of versions that kept no digest as well. */
async function keepBook(client: PoolClient): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, at timestamptz not null default now())',
  )
  const { rowCount } = await client.query(
    "select 1 from pg_attribute where attrelid = 'migrations'::regclass and attname = 'checksum'",
  )
  if (rowCount === 0)
    await client.query(
      'alter table migrations add column checksum text, add column contracts boolean not null default false',
    )
}

/** The names of steps that are not ours and may stay. @throws ConfigError */
function judge(steps: readonly Migration[], applied: readonly Applied[]): readonly string[] {
  const own = new Map(steps.map((step) => [step.name, checksum(step)]))
  const changed = applied.find(
    (row) => own.has(row.name) && row.checksum !== null && row.checksum !== own.get(row.name),
  )
  if (changed !== undefined)
    throw new ConfigError(
      `the migration ${changed.name} of this database is another one than that of this version: ` +
        'a released one never changes',
    )
  const newer = applied.filter(({ name }) => !own.has(name))
  const narrow = newer.find((row) => row.contracts)
  if (narrow !== undefined)
    throw new ConfigError(
      `a newer version took away what this one uses (${narrow.name}): ` +
        'start that version, or restore a backup from before',
    )
  return newer.map(({ name }) => name)
}

type Patience = Required<Pick<MigrateOptions, 'lockMs' | 'limitMs'>>

/** Waits shortly for its locks, lets go, and tries again. @throws ConfigError when it never got them */
async function apply(client: PoolClient, step: Migration, options: Patience): Promise<void> {
  const until = performance.now() + options.limitMs
  for (;;) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${String(options.lockMs)}`)
      await client.query(patiently(step.sql))
      await client.query('insert into migrations (name, checksum, contracts) values ($1, $2, $3)', [
        step.name,
        checksum(step),
        contracts(step),
      ])
      await client.query('commit')
      return
    } catch (error) {
      if (!isLockedOut(error)) throw error
      await client.query('rollback')
      if (performance.now() > until)
        throw new ConfigError(
          `the migration ${step.name} did not get its locks within ${String(options.limitMs / 1_000)} s: ` +
            'end what holds them',
          { cause: error },
        )
      await pause(pauseMs)
    }
  }
}

function checksum({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex')
}
