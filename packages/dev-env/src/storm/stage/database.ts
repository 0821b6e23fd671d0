import { readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
import { startPostgres, type Postgres } from '../../postgres/postgres.ts'

/** The PostgreSQL of a storm: it can be crashed and comes back with what it had committed. */
export type Database = AsyncDisposable & {
  port(): number
  /** The URL of a database past every line, for whoever watches. */
  url(database: string): string
  /** The same over a line. */
  urlThrough(database: string, port: number): string
  /** An immediate shutdown, as at a crash, or SIGKILL; then started again. */
  crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Stops every process of it for a while. */
  freeze(ms: number): Promise<void>
  /** Ends the sessions of a database, as an operator or a failover does; answers how many. */
  terminate(database: string): Promise<number>
}

/** Commits are durable here: what a crash may forget would be found as a loss. */
export async function startDatabase(dataDir: string, first: number, databases: readonly string[]): Promise<Database> {
  let postgres: Postgres = await startPostgres({ dataDir, durable: true, port: first })
  for (const name of databases) if (!(await postgres.hasDatabase(name))) await postgres.createDatabase(name)
  const url = (database: string): string => postgres.tcpUrl(database)
  return {
    port: () => postgres.port,
    url,
    urlThrough(database, port) {
      const parsed = new URL(postgres.tcpUrl(database))
      parsed.port = String(port)
      return parsed.href
    },
    async crash(signal) {
      const { pid, ended, port } = postgres
      if (pid === undefined) throw new Error('PostgreSQL is not ours')
      process.kill(pid, signal)
      await ended
      await postgres.kill()
      postgres = await startPostgres({ dataDir, durable: true, port })
    },
    async freeze(ms) {
      const pids = postgres.pid === undefined ? [] : familyOf(postgres.pid)
      for (const pid of pids) signalTo(pid, 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      for (const pid of pids) signalTo(pid, 'SIGCONT')
    },
    async terminate(database) {
      const client = new pg.Client({ connectionString: url(database) })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (
          (
            await client.query(
              'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
              [database],
            )
          ).rowCount ?? 0
        )
      } finally {
        await client.end()
      }
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}

/** A process and its children. */
function familyOf(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
  return [pid, ...children]
}

function parentOf(name: string): number | undefined {
  try {
    // The name of the program stands in parentheses and may hold spaces; state and parent follow it.
    return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return undefined
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // A session that ended meanwhile.
  }
}
