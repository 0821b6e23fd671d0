import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { binariesIn } from './binaries.ts'
import type { PostgresBinaries } from './binaries.ts'

/**
 * PostgreSQL refuses to run as root. The ladder: not root, start it as it is; root, give it a user namespace where it
 * is nobody; root without user namespaces (some containers), become `postgres` or `nobody`.
 */
export type Rung =
  | { readonly kind: 'direct'; readonly prefix: readonly []; readonly identity: undefined }
  | { readonly kind: 'namespace'; readonly prefix: readonly string[]; readonly identity: undefined }
  | { readonly kind: 'setuid'; readonly prefix: readonly []; readonly identity: Identity }

type Identity = { readonly uid: number; readonly gid: number }

const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534'] as const

export function chooseRung(wanted?: Rung['kind']): Rung {
  const kind = wanted ?? (process.getuid?.() !== 0 ? 'direct' : canUnshare() ? 'namespace' : 'setuid')
  switch (kind) {
    case 'direct':
      return { kind, prefix: [], identity: undefined }
    case 'namespace':
      return { kind, prefix: NAMESPACE, identity: undefined }
    case 'setuid':
      return { kind, prefix: [], identity: findIdentity() }
  }
}

function canUnshare(): boolean {
  const [command, ...args] = NAMESPACE
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0
}

/** An account with a passwd entry: PostgreSQL looks its own user up and stops when there is none. */
function findIdentity(): Identity {
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'))
  for (const account of ['postgres', 'nobody']) {
    const row = rows.find(([name]) => name === account)
    const uid = Number(row?.[2])
    const gid = Number(row?.[3])
    if (Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0) return { uid, gid }
  }
  throw new Error('PostgreSQL does not run as root and there is no account postgres or nobody: set DATABASE_URL')
}

/** Binaries the account can load: the installed ones, or a copy outside a home that is closed to others. */
export function reachableBinaries(installed: PostgresBinaries, rung: Rung): PostgresBinaries {
  if (rung.kind !== 'setuid') return installed
  if (spawnSync(installed.postgres, ['--version'], { ...rung.identity, stdio: 'ignore' }).status === 0) return installed
  const copy = join('/var/tmp', `ergon-postgres-bin-${shortHash(installed.root)}`)
  if (!existsSync(copy)) {
    const part = `${copy}.${String(process.pid)}`
    cpSync(installed.root, part, { recursive: true, verbatimSymlinks: true })
    renameSync(part, copy)
  }
  return binariesIn(copy)
}

/** The folder for the cluster: the wanted one, or one in /var/tmp when the account cannot walk to it. */
export function reachableFolder(wanted: string, rung: Rung): string {
  mkdirSync(wanted, { recursive: true, mode: 0o700 })
  if (rung.kind !== 'setuid') return wanted
  const parent = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', join(wanted, '..')], {
    ...rung.identity,
    stdio: 'ignore',
  })
  if (parent.status === 0) return wanted
  const folder = folderElsewhere(wanted)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Where a cluster goes whose folder the account cannot walk to. */
export function folderElsewhere(wanted: string): string {
  return join('/var/tmp', `ergon-postgres-data-${shortHash(wanted)}`)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
