import { setTimeout as pause } from 'node:timers/promises'
import { readFacts, readVersion, type Service } from './database-facts.ts'
import { databaseDoubt, databaseFault, leastVersion, type DatabaseNeeds } from './database-fault.ts'
import { keepsSessions } from './keeps-sessions.ts'
import type { DatabaseLine } from './session-settings.ts'

/** A pool of connections; those of `pg` are such. */
export type DatabasePool = { connect(): Promise<DatabaseLine & { release(): void }> }

export type RequireOptions = DatabaseNeeds & {
  readonly service: Service
  /** How long a database that takes no writes is waited for: a standby may be promoted. */
  readonly limitMs: number
  /** Told of what does not keep the process from serving. */
  readonly onDoubt: (text: string) => void
  /** What is thrown, with a sentence for whoever started the process. */
  readonly refuse: (text: string) => Error
}

const pauseMs = 500

/**
 * Refuses a database on which money or events would break without a word (decision 0291).
 * @throws what `refuse` answers, and what the connections say
 */
export async function requireDatabase(pool: DatabasePool, options: RequireOptions): Promise<void> {
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    if (!(await keepsSessions(one, other))) throw options.refuse(sharedLines)
    const version = await readVersion(one)
    if (version < leastVersion)
      throw options.refuse(
        `the database is PostgreSQL ${majorOf(version)}: PostgreSQL ${majorOf(leastVersion)} or newer is needed`,
      )
    await judge(one, options)
  } finally {
    one.release()
    other.release()
  }
}

const majorOf = (version: number): string => String(Math.floor(version / 10_000))

const sharedLines =
  'a pooler lends the connections to the database out by the transaction: ' +
  'let it keep sessions (PgBouncer: pool_mode = session)'

async function judge(line: DatabaseLine, options: RequireOptions): Promise<void> {
  const until = performance.now() + options.limitMs
  for (let isFirst = true; ; isFirst = false) {
    const facts = await readFacts(line, options.service)
    const fault = databaseFault(facts, options)
    if (fault !== undefined) throw options.refuse(fault)
    if (!facts.isStandby && !facts.isReadOnly) {
      const doubt = databaseDoubt(facts, options)
      if (doubt !== undefined) options.onDoubt(doubt)
      return
    }
    const text = facts.isStandby
      ? 'the database of DATABASE_URL is a standby: name the primary'
      : `the database ${facts.database} takes no writes: ` +
        `set default_transaction_read_only back to off for it and for the role ${facts.role}`
    if (performance.now() >= until) throw options.refuse(text)
    if (isFirst) options.onDoubt(`${text}; the start waits for it`)
    await pause(pauseMs)
  }
}
