import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = ['apps/web/src', 'apps/web/public', 'apps/web/index.html', 'apps/web/vite.config.ts', 'packages/contract/src', 'packages/protocols/src', 'packages/sdk/src', 'package-lock.json']
const patienceMs = 180_000
const keptOutput = 4_000

/** Where the built app lies. */
export const webDir = join(root, 'apps/web/dist')
const stampFile = join(webDir, '.stamp')
const lockFile = join(root, '.cache/web-build.lock')

/**
 * Builds the app for people when it is missing or its sources changed since; whoever comes while another builds waits.
 *
 * @throws Error with the end of the builder's output
 */
export async function ensureWebBuilt(): Promise<string> {
  const stamp = stampOf(sources.map((path) => join(root, path)))
  for (const deadline = Date.now() + patienceMs; !isBuilt(stamp); ) {
    if (takeLock()) {
      try {
        if (!isBuilt(stamp)) {
          await build()
          writeFileSync(stampFile, stamp)
        }
      } finally {
        rmSync(lockFile, { force: true })
      }
    } else if (Date.now() > deadline) throw new Error(`the app is being built elsewhere for too long; remove ${lockFile} if nobody builds it`)
    else await pause(200)
  }
  return webDir
}

const isBuilt = (stamp: string): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp

/** One builder at a time; a lock whose holder is gone is taken over. */
function takeLock(): boolean {
  mkdirSync(dirname(lockFile), { recursive: true })
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (holderLives()) return false
    rmSync(lockFile, { force: true })
    return takeLock()
  }
}

function holderLives(): boolean {
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** Names, sizes and contents: a checkout that changes times alone builds nothing. */
function stampOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const files = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort() : [path]
    for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function build(): Promise<void> {
  const web = join(root, 'apps/web')
  const vite = join(dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: web, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs, env: { ...process.env, NODE_ENV: 'production' } })
  let output = ''
  const keep = (chunk: Buffer): void => { output = `${output}${chunk.toString('utf8')}`.slice(-keptOutput) }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('error', reject)
  child.on('close', (code) => { if (code === 0) resolve(); else reject(new Error(`the app could not be built:\n${output}`)) })
  return promise
}
