import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { makeCertificate } from '../deploy/proxy.ts'
import { freePort } from '../ports.ts'
import { waitFor } from '../waiting.ts'

/** A cluster of its own, made by `initdb`, with the tools of its version: what an operator dumps and restores with. */
export type Cluster = AsyncDisposable & {
  url(database: string): string
  /** By the name of its certificate, with the file of it; only of a cluster that offers TLS. */
  encryptedUrl(database: string): string
  create(database: string): void
  /** Writes a dump of a database to this file, as `pg_dump --format=custom`. */
  dump(database: string, file: string): void
  /** Restores it into a new database. */
  restore(database: string, file: string): void
  /** Stops it for as long as its files are copied; answers a cluster made of the copy, which has not been started. */
  copy(): Promise<() => Promise<Cluster>>
  /** Makes a standby of what is there now; the answer kills the cluster and promotes the standby in its place. */
  standby(): Promise<() => Promise<void>>
  /** A standby of it that runs beside it. */
  follower(): Promise<Cluster>
  /** Ends it without a word, writing nothing more, and starts it again. */
  crash(): Promise<void>
}

export type ClusterOptions = {
  /** What `initdb` is told of encoding and order. */
  readonly locale?: readonly string[]
  /** What the server is told beside where it is. */
  readonly settings?: Readonly<Record<string, string>>
  /** Who is let in, as lines of `pg_hba.conf`; everybody without it. */
  readonly access?: readonly string[]
  /** Offers TLS, under a certificate that signs itself. */
  readonly offersTls?: true
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
export function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres')
  return { uid: Number(row?.[2]), gid: Number(row?.[3]) }
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const identity = account()
  const folder = newFolder(identity)
  const made = ['--username', 'ergon', '--auth', 'trust', '--no-sync', ...(options.locale ?? utf8)]
  execFileSync(join(tools(), 'initdb'), ['--pgdata', join(folder, 'data'), ...made], {
    ...identity,
    cwd: folder,
    stdio: 'ignore',
  })
  if (options.access !== undefined) writeFileSync(join(folder, 'data', 'pg_hba.conf'), `${options.access.join('\n')}\n`)
  const tls = options.offersTls === true ? certify(join(folder, 'data'), identity) : {}
  return openCluster(folder, { ...tls, ...options.settings })
}

/** The files are named as from the data folder. */
function certify(data: string, identity: ReturnType<typeof account>): Readonly<Record<string, string>> {
  const made = makeCertificate(data)
  for (const file of Object.values(made)) if (identity !== undefined) chownSync(file, identity.uid, identity.gid)
  return { ssl: 'on', ssl_cert_file: basename(made.cert), ssl_key_file: basename(made.key) }
}

const utf8 = ['--encoding', 'UTF8', '--locale', 'C']

function newFolder(identity: ReturnType<typeof account>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-cluster-'))
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  return folder
}

async function openCluster(first: string, settings: ClusterOptions['settings'] = {}): Promise<Cluster> {
  let folder = first
  const port = await freePort()
  const url = (database: string): string => `postgres://ergon@127.0.0.1:${String(port)}/${database}`
  const run = (tool: string, ...args: string[]): void => {
    execFileSync(join(tools(), tool), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const start = (): Promise<ChildProcess> => launch(folder, { port, settings, url: url('postgres') })
  const backUp = (): string => {
    const other = newFolder(account())
    const to = ['--pgdata', join(other, 'data'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    execFileSync(join(tools(), 'pg_basebackup'), ['--dbname', url('postgres'), ...to], { ...account(), cwd: other })
    return other
  }
  let child = await start()
  const create = (database: string): void => {
    run('createdb', '--maintenance-db', url('postgres'), database)
  }
  return {
    url,
    encryptedUrl(database) {
      const named = new URL(url(database).replace('127.0.0.1', 'localhost'))
      named.searchParams.set('sslmode', 'verify-full')
      named.searchParams.set('sslrootcert', join(folder, 'data', settings['ssl_cert_file'] ?? ''))
      return named.href
    },
    create,
    dump: (database, file) => {
      run('pg_dump', '--format=custom', '--file', file, url(database))
    },
    restore: (database, file) => {
      create(database)
      run('pg_restore', '--no-owner', '--exit-on-error', '--dbname', url(database), file)
    },
    async copy() {
      await stop(child)
      const other = newFolder(account())
      execFileSync('cp', ['--archive', join(folder, 'data'), other])
      child = await start()
      return () => openCluster(other, settings)
    },
    async standby() {
      const other = backUp()
      return async () => {
        await stop(child, 'SIGQUIT')
        rmSync(folder, { recursive: true, force: true })
        folder = other
        child = await start()
        execFileSync(join(tools(), 'pg_ctl'), ['promote', '--wait', '-D', join(folder, 'data')], {
          ...account(),
          cwd: folder,
        })
      }
    },
    follower: () => openCluster(backUp(), settings),
    async crash() {
      await stop(child, 'SIGQUIT')
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Launch = { readonly port: number; readonly url: string; readonly settings: Readonly<Record<string, string>> }

async function launch(folder: string, { port, url, settings: given }: Launch): Promise<ChildProcess> {
  const place = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder }
  const settings = Object.entries({ ...place, fsync: 'off', ...given }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = spawn(join(tools(), 'postgres'), ['-D', join(folder, 'data'), ...settings], {
    ...account(),
    cwd: folder,
    stdio: 'ignore',
  })
  await waitFor(async () => ((await answers(url)) ? true : undefined), {
    timeoutMs: 30_000,
    everyMs: 20,
    what: 'an answer of the cluster',
  })
  return child
}

async function stop(child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
  const over = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await over
}

export async function answers(url: string): Promise<boolean> {
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
