import { readFileSync, readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { overConnection } from '../../postgres/over-connection.ts'
import { startPostgres, type Postgres } from '../../postgres/postgres.ts'
import { isAlive } from '../../stopping.ts'

/** The PostgreSQL of a storm: it can be crashed and comes back with what it had committed. */
export type Database = AsyncDisposable & {
  port(): number
  /** The URL of a database past every line, for whoever watches. */
  url(database: string): string
  /** The same over a line. */
  urlThrough(database: string, port: number): string
  /** A shutdown as an operator's, an immediate one, as at a crash, or SIGKILL; then started again. */
  crash(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** For a while no file takes another byte, as on a full disk; what ended by it is started again after it. */
  fill(ms: number): Promise<void>
  /** Keeps a copy of a database nobody writes to now, and answers how to come back to it. */
  backup(database: string): Promise<() => Promise<void>>
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
    async fill(ms) {
      const { pid, port } = postgres
      if (pid === undefined) throw new Error('PostgreSQL is not ours')
      for (const one of familyOf(pid)) limitFiles(one, '0')
      await pause(ms)
      for (const one of familyOf(pid)) limitFiles(one, 'unlimited')
      await Promise.race([postgres.ended, pause(1_000)])
      if (isAlive(pid)) return
      await postgres.kill()
      postgres = await startPostgres({ dataDir, durable: true, port })
    },
    backup: (database) => backup(url('postgres'), database),
    async freeze(ms) {
      const pids = postgres.pid === undefined ? [] : familyOf(postgres.pid)
      for (const pid of pids) signalTo(pid, 'SIGSTOP')
      await pause(ms)
      for (const pid of pids) signalTo(pid, 'SIGCONT')
    },
    terminate: (database) =>
      overConnection(url(database), async (client) => {
        const { rowCount } = await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
          [database],
        )
        return rowCount ?? 0
      }),
    [Symbol.asyncDispose]: () => postgres.stop(),
  }
}

/** A limit that any process of ours takes without rights: writing fails, as it does without room. */
function limitFiles(pid: number, bytes: string): void {
  spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' })
}

/** A copy within the cluster, made of files: rows, sequences and transaction ids are those of the moment. */
async function backup(adminUrl: string, database: string): Promise<() => Promise<void>> {
  const [live, kept] = [pg.escapeIdentifier(database), pg.escapeIdentifier(`${database}_backup`)]
  const alone = (...statements: readonly string[]): Promise<void> =>
    overConnection(adminUrl, async (client) => {
      try {
        await client.query(`alter database ${live} allow_connections false`)
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
        for (const statement of statements) await client.query(statement)
      } finally {
        await client.query(`alter database ${live} allow_connections true`)
      }
    })
  await alone(`create database ${kept} template ${live} strategy file_copy`)
  return () =>
    alone(
      `drop database ${live} with (force)`,
      `create database ${live} template ${kept} strategy file_copy`,
      `drop database ${kept}`,
    )
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
    // The name of the program is in parentheses and may hold spaces; state and parent follow it.
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
