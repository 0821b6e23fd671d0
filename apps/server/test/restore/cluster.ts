import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ergon/dev-env'
import pg from 'pg'
import { eventually } from '../adapters/rig.ts'

/** A cluster of its own, made by `initdb`, with the tools of its version: what an operator dumps and restores with. */
export type Cluster = AsyncDisposable & {
  url(database: string): string
  create(database: string): void
  /** Writes a dump of a database to this file, as `pg_dump --format=custom`. */
  dump(database: string, file: string): void
  /** Restores it into a new database. */
  restore(database: string, file: string): void
}

const versions = '/usr/lib/postgresql'

/** The embedded PostgreSQL has no `pg_dump`: Debian's package brings the whole of it. */
function tools(): string {
  const found = existsSync(versions)
    ? readdirSync(versions)
        .filter((version) => Number(version) >= 15)
        .map((version) => join(versions, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'pg_dump')) && existsSync(join(folder, 'initdb')))
    : undefined
  if (found === undefined) throw new Error("this test needs Debian's package postgresql")
  return found
}

/** PostgreSQL does not run as root. */
function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres')
  return { uid: Number(row?.[2]), gid: Number(row?.[3]) }
}

export async function startCluster(): Promise<Cluster> {
  const bin = tools()
  const identity = account()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-cluster-'))
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  const made = ['--pgdata', data, '--username', 'ergon', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C']
  execFileSync(join(bin, 'initdb'), [...made, '--no-sync'], { ...identity, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const options = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' }
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...identity, cwd: folder, stdio: 'ignore' },
  )
  const url = (database: string): string => `postgres://ergon@127.0.0.1:${String(port)}/${database}`
  const run = (tool: string, ...args: string[]): void => {
    execFileSync(join(bin, tool), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  await eventually(
    () => answers(url('postgres')),
    (isUp) => isUp,
    30_000,
  )
  const create = (database: string): void => {
    run('createdb', '--maintenance-db', url('postgres'), database)
  }
  return {
    url,
    create,
    dump: (database, file) => {
      run('pg_dump', '--format=custom', '--file', file, url(database))
    },
    restore: (database, file) => {
      create(database)
      run('pg_restore', '--no-owner', '--exit-on-error', '--dbname', url(database), file)
    },
    async [Symbol.asyncDispose]() {
      const over = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await over
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
