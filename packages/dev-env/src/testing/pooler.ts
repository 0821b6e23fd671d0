import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { endProcess } from '../stopping.ts'
import { waitFor } from '../waiting.ts'
import { account, answers } from './cluster.ts'

/** A PgBouncer before a cluster, with what it does by itself. */
export type Pooler = AsyncDisposable & { url(database: string): string }

export async function startPooler(
  clusterUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  settings: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const identity = account()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-pooler-'))
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  const [port, cluster] = [await freePort(), new URL(clusterUrl)]
  const lines = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '', auth_type: 'any' },
    ...{ pool_mode: mode, ...settings },
  }
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${cluster.hostname} port=${cluster.port} user=${cluster.username}`,
      '[pgbouncer]',
      ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  )
  const child = spawn('pgbouncer', ['--quiet', file], {
    ...{ ...identity, cwd: folder, stdio: 'ignore' },
    // Debian keeps it where only an administrator looks.
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  })
  // One that is not there is told below.
  child.on('error', () => undefined)
  const url = (database: string): string => `postgres://${cluster.username}@127.0.0.1:${String(port)}/${database}`
  await waitFor(async () => ((await answers(url('postgres'))) ? true : undefined), {
    ...{ timeoutMs: 10_000, everyMs: 20, what: "an answer of the pooler, Debian's package pgbouncer" },
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      await endProcess(child, 'SIGTERM', 2_000)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
