import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { isAlive } from '../stopping.ts'
import { waitFor } from '../waiting.ts'
import type { PostgresBinaries } from './binaries.ts'
import type { Rung } from './rung.ts'

/** The only account of the cluster. */
export const SUPERUSER = 'ergon'

/**
 * Makes the cluster if it is not there and answers its password. It is made beside its place and moved there when it is
 * whole, so a start that is killed half way leaves nothing that looks finished.
 */
export async function ensureCluster(
  folder: string,
  binaries: PostgresBinaries,
  rung: Rung,
  sync: boolean,
): Promise<string> {
  const passwordFile = join(folder, 'password')
  const data = join(folder, 'data')
  if (existsSync(data)) return readFileSync(passwordFile, 'utf8')
  const unfinished = join(folder, 'data.new')
  rmSync(unfinished, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (rung.identity !== undefined)
    for (const path of [folder, passwordFile]) chownSync(path, rung.identity.uid, rung.identity.gid)
  await run(
    binaries.initdb,
    [
      '--pgdata',
      unfinished,
      '--username',
      SUPERUSER,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--no-instructions',
      // The provider inside PostgreSQL sorts alike on every machine; the locales of the machine do not.
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--locale',
      'C',
      '--no-sync',
    ],
    rung,
  )
  renameSync(unfinished, data)
  if (sync) flushLater(folder)
  return password
}

/** Flushing a thousand new files takes longer than making them, and nobody needs to wait for it. */
function flushLater(folder: string): void {
  const flush = spawn('sync', ['--file-system', folder], { stdio: 'ignore', detached: true })
  flush.on('error', () => undefined) // Without the command the kernel flushes within half a minute.
  flush.unref()
}

async function run(command: string, args: readonly string[], rung: Rung): Promise<void> {
  const [first = command, ...words] = [...rung.prefix, command, ...args]
  const child = spawn(first, words, { stdio: ['ignore', 'pipe', 'pipe'], ...rung.identity })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  // The event's first argument is the exit code.
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}:\n${output.join('')}`)
}

/**
 * Clears what a killed server left. The caller holds the data folder, so a server that still runs there is an orphan
 * and is stopped. A process that merely has the same id is left alone: PostgreSQL itself would refuse to start then.
 */
export async function clearStaleServer(folder: string): Promise<void> {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (Number.isInteger(pid) && pid > 0 && isServerOf(folder, pid)) {
    process.kill(pid, 'SIGINT')
    await waitFor(() => (isAlive(pid) && isServerOf(folder, pid) ? undefined : true), {
      timeoutMs: 10_000,
      everyMs: 10,
      what: `the end of the orphaned PostgreSQL ${String(pid)}`,
    })
  }
  rmSync(file, { force: true })
}

function isServerOf(folder: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
      .split('\0')
      .includes(join(folder, 'data'))
  } catch {
    return false
  }
}
