import { awaitDatabase, type AwaitOptions } from './await-database.ts'
import { readFacts, readVersion, type Service } from './database-facts.ts'
import { databaseDoubt, databaseFault, leastVersion, type DatabaseNeeds } from './database-fault.ts'
import { keepsSessions } from './keeps-sessions.ts'
import { Obstacle } from './obstacle.ts'
import type { DatabaseLine } from './session-settings.ts'

type LentLine = DatabaseLine & { release(isBroken?: boolean): void }
/** A pool of connections; those of `pg` are such. */
export type DatabasePool = { connect(): Promise<LentLine> }

export type RequireOptions = DatabaseNeeds & AwaitOptions & { readonly service: Service }

/**
 * Waits for the database, and refuses one on which money or events would break without a word (decision 0291).
 * @throws what `refuse` answers
 */
export async function requireDatabase(pool: DatabasePool, options: RequireOptions): Promise<void> {
  const doubt = await awaitDatabase(() => judgeOver(pool, options), options)
  if (doubt !== undefined) options.onDoubt(doubt)
}

/** Over new connections each time: one that was lost, or leads to a standby, is of no use any more. */
async function judgeOver(pool: DatabasePool, options: RequireOptions): Promise<string | undefined> {
  const lent: LentLine[] = []
  let isBroken = true
  try {
    const one = await pool.connect()
    lent.push(one)
    const other = await pool.connect()
    lent.push(other)
    if (!(await keepsSessions(one, other))) throw new Obstacle(sharedLines, { passes: false })
    const doubt = await judge(one, options)
    isBroken = false
    return doubt
  } finally {
    for (const line of lent) line.release(isBroken)
  }
}

const majorOf = (version: number): string => String(Math.floor(version / 10_000))

const sharedLines =
  'a pooler lends the connections to the database out by the transaction: ' +
  'let it keep sessions (PgBouncer: pool_mode = session)'

/** What is told and does not keep a process from serving. */
async function judge(line: DatabaseLine, options: RequireOptions): Promise<string | undefined> {
  const version = await readVersion(line)
  const older = `the database is PostgreSQL ${majorOf(version)}: PostgreSQL ${majorOf(leastVersion)} or newer is needed`
  if (version < leastVersion) throw new Obstacle(older, { passes: false })
  const facts = await readFacts(line, options.service)
  const fault = databaseFault(facts, options)
  if (fault !== undefined) throw new Obstacle(fault, { passes: false })
  if (facts.isStandby)
    throw new Obstacle('the database of DATABASE_URL is a standby: name the primary', { passes: true })
  if (facts.isReadOnly)
    throw new Obstacle(
      `the database ${facts.database} takes no writes: ` +
        `set default_transaction_read_only back to off for it and for the role ${facts.role}`,
      { passes: true },
    )
  return databaseDoubt(facts, options)
}
