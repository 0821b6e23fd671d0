import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChildProcess } from 'node:child_process'
import { logTail } from '../log-tail.ts'
import { freePort } from '../ports.ts'
import { endProcess, hasEnded } from '../stopping.ts'
import { spawnTethered } from '../tether.ts'
import { waitFor } from '../waiting.ts'
import { findPostgresBinaries } from './binaries.ts'
import { clearStaleServer, ensureCluster, SUPERUSER } from './cluster.ts'
import { createAdmin } from './admin.ts'
import type { DatabaseAdmin } from './admin.ts'
import { chooseRung, reachableBinaries, reachableFolder } from './rung.ts'
import type { Rung } from './rung.ts'

export type PostgresOptions = {
  /** Where the cluster lives and stays. Without it the cluster is temporary and removed by `stop`. */
  readonly dataDir?: string
  /** The first port to try; the next free one is taken. Any free port without it. */
  readonly port?: number
  /** False turns flushing to disk off: for tests, where a crash of the machine loses nothing of worth. */
  readonly durable?: boolean
  /** Keeps a temporary cluster of some hundred megabytes in memory, on a machine that has much of it. */
  readonly inMemory?: boolean
  /** An existing server to use instead of starting one. */
  readonly externalUrl?: string
  /** The step of the root ladder; chosen by itself, named by tests. */
  readonly rung?: Rung['kind']
}

export type Postgres = DatabaseAdmin &
  AsyncDisposable & {
    /** Over the unix socket where there is one. */
    url(database: string): string
    /** Over loopback TCP, for people and other tools. */
    tcpUrl(database: string): string
    readonly port: number
    /** Undefined for an external server, as is `folder`. */
    readonly pid: number | undefined
    /** Where the cluster and its log are. */
    readonly folder: string | undefined
    /** Resolves when the process has ended, for whatever reason; never for an external server. */
    readonly ended: Promise<void>
    stop(): Promise<void>
    /** SIGKILL, for tests of what a crash leaves. */
    kill(): Promise<void>
  }

/** A unix socket's path has at most 107 bytes, of which the name takes about 15. */
const SOCKET_FOLDER_LIMIT = 88
const START_TIMEOUT_MS = 30_000
const START_ATTEMPTS = 5

/** Starts the embedded PostgreSQL, or wraps the external one. Nothing listens beyond loopback. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  if (options.externalUrl !== undefined) return wrapExternal(options.externalUrl)
  const rung = chooseRung(options.rung)
  const binaries = reachableBinaries(await findPostgresBinaries(), rung)
  const durable = options.durable ?? true
  const place = options.inMemory === true ? memoryFolder() : tmpdir()
  const wanted = resolve(options.dataDir ?? mkdtempSync(join(place, NAME)))
  const folder = reachableFolder(wanted, rung)
  const password = await ensureCluster(folder, binaries, rung, durable)
  await clearStaleServer(folder)
  const socket = socketFolder(folder, rung)
  const { child, port } = await launch({
    binary: binaries.postgres,
    folder,
    socket: socket.path,
    rung,
    durable,
    preferred: options.port,
  })

  const tcpUrl = (database: string): string =>
    `postgres://${SUPERUSER}:${password}@127.0.0.1:${String(port)}/${database}`
  const url = (database: string): string => `${tcpUrl(database)}?host=${encodeURIComponent(socket.path)}`
  const admin = createAdmin(url)
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve()
    }),
  )
  const end = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    await admin.close()
    await endProcess(child, signal, 10_000)
    if (socket.temporary) rmSync(socket.path, { recursive: true, force: true })
    if (options.dataDir === undefined)
      for (const path of new Set([folder, wanted])) rmSync(path, { recursive: true, force: true })
  }
  return {
    createDatabase: admin.createDatabase,
    dropDatabase: admin.dropDatabase,
    hasDatabase: admin.hasDatabase,
    url,
    tcpUrl,
    port,
    pid: child.pid,
    folder,
    ended,
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and leaves.
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGINT'),
  }
}

function wrapExternal(externalUrl: string): Postgres {
  const url = (database: string): string => {
    const parsed = new URL(externalUrl)
    parsed.pathname = `/${database}`
    return parsed.href
  }
  const admin = createAdmin(url)
  const stop = (): Promise<void> => admin.close()
  return {
    createDatabase: admin.createDatabase,
    dropDatabase: admin.dropDatabase,
    hasDatabase: admin.hasDatabase,
    url,
    tcpUrl: url,
    port: Number(new URL(externalUrl).port || 5432),
    pid: undefined,
    folder: undefined,
    ended: new Promise(() => undefined),
    stop,
    kill: stop,
    [Symbol.asyncDispose]: stop,
  }
}

function socketFolder(folder: string, rung: Rung): { path: string; temporary: boolean } {
  const inside = join(folder, 'socket')
  const temporary = Buffer.byteLength(inside) > SOCKET_FOLDER_LIMIT
  const path = temporary ? mkdtempSync(join(tmpdir(), 'ergon-socket-')) : inside
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (rung.identity !== undefined) chownSync(path, rung.identity.uid, rung.identity.gid)
  return { path, temporary }
}

const NAME = 'ergon-postgres-'
const MEMORY = '/dev/shm'
const ROOM_IN_MEMORY = 4 * 2 ** 30
const LEFT_BEHIND_MS = 24 * 3_600_000

/** A new database is three hundred files: a third of a second on a disk. */
function memoryFolder(): string {
  try {
    forgetLeftBehind()
    const { bavail, bsize } = statfsSync(MEMORY)
    const room = Math.min(bavail * bsize, process.availableMemory() / 2)
    return room >= ROOM_IN_MEMORY ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** A run that was killed has left its cluster behind. No run takes a day. */
function forgetLeftBehind(): void {
  for (const name of readdirSync(MEMORY)) {
    const path = join(MEMORY, name)
    if (name.startsWith(NAME) && Date.now() - statSync(path).mtimeMs > LEFT_BEHIND_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

type Launch = {
  readonly binary: string
  readonly folder: string
  readonly socket: string
  readonly rung: Rung
  readonly durable: boolean
  readonly preferred: number | undefined
}

/** Starts until it runs: another process may take the port in between, and the backends of a killed server linger. */
async function launch(input: Launch): Promise<{ child: ChildProcess; port: number }> {
  const log = join(input.folder, 'postgres.log')
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(input.preferred)
    const child = startServer(input, port, log)
    const ready = await waitFor(() => (hasEnded(child) ? false : isReady(input.folder, child.pid) || undefined), {
      timeoutMs: START_TIMEOUT_MS,
      everyMs: 5,
      what: 'PostgreSQL',
    }).catch(async (error: unknown) => {
      await endProcess(child, 'SIGKILL', 0)
      throw error
    })
    if (ready) return { child, port }
    if (attempt === START_ATTEMPTS) throw new Error(`PostgreSQL did not start; the end of ${log}:\n${logTail(log)}`)
    await pause(100 * attempt)
  }
}

function startServer(input: Launch, port: number, log: string): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: input.socket,
    max_connections: '200',
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    ...(input.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const output = openSync(log, 'a', 0o600)
  try {
    return spawnTethered(
      input.binary,
      [
        '-D',
        join(input.folder, 'data'),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { lastSignal: 'SIGINT', prefix: input.rung.prefix, stdio: ['ignore', output, output], ...input.rung.identity },
    )
  } finally {
    closeSync(output)
  }
}

/** The eighth line of postmaster.pid is the server's own word on its state. */
function isReady(folder: string, pid: number | undefined): boolean {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return false
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines[0]?.trim() === String(pid) && lines[7]?.trim() === 'ready'
}
