import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import {
  createPool,
  dropIdle,
  isRestored,
  joinServers,
  keepEventEpoch,
  migrate,
  watchDatabase,
  watchEpoch,
  type DatabaseWatch,
  type EpochReason,
  type EpochWatch,
  type Membership,
  type SharedFacts,
} from './adapters/postgres/index.ts'
import { ConfigError } from './config/config-error.ts'
import type { Config } from './config/config.ts'
import { requireDatabase, type ProcessLog } from '@ergon/process'
import { version } from './service.ts'

type OpenDatabase = {
  readonly pool: Pool
  readonly database: DatabaseWatch
  readonly epoch: EpochWatch
  readonly membership: Membership
}

/** Waits for the database, brings its schema up to date, begins to watch it and enters this server in it. */
export async function openDatabase(
  config: Config,
  { facts, realNetwork }: { readonly facts: SharedFacts; readonly realNetwork: string | undefined },
  log: ProcessLog,
  parts: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const warnOf =
    (what: string) =>
    (error: unknown): void => {
      log.warn({ err: error }, what)
    }
  const pool = createPool(config.databaseUrl, { size: config.poolSize, onError: warnOf('a database connection ended') })
  parts.defer(() => pool.end())
  await requireDatabase(pool, {
    service: 'server',
    // One more listens.
    connections: config.poolSize + 1,
    realNetwork,
    limitMs: config.databaseWaitMs,
    onDoubt: (text, cause) => {
      log.warn({ err: cause }, text)
    },
    refuse: (text, cause) => new ConfigError(text, { cause }),
  })
  await migrate(pool, {
    onNewer: (names) => {
      log.warn({ migrations: names }, 'a newer version has been here; this one goes on beside it')
    },
  })
  const reason = await keepEventEpoch(pool)
  if (reason !== null) sayEpoch(log, reason)
  const epoch = parts.use(
    watchEpoch(pool, (later) => {
      sayEpoch(log, later)
    }),
  )
  const watch = parts.use(
    watchDatabase(pool, {
      onSilence: () => {
        dropIdle(pool)
      },
    }),
  )
  await watch.begun
  const membership = parts.use(
    await joinServers(pool, {
      id: randomUUID(),
      version,
      facts,
      onError: warnOf('this server could not say that it runs'),
    }),
  )
  return { pool, database: watch, epoch, membership }
}

/** Where events go on, and what to do where the database was restored. */
export function sayEpoch(log: ProcessLog, reason: EpochReason): void {
  if (isRestored(reason))
    log.error(
      { reason },
      'the database may have gone back: events go on in a new epoch, earlier signatures are refused. Run `restore-check`',
    )
  else log.info({ reason }, 'the database was started anew: events go on in a new epoch')
}
