import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DataFolderInUse, lockDataFolder } from '../data-lock.ts'
import { waitFor } from '../waiting.ts'
import { buildWeb } from './build-web.ts'
import { compressBuilt } from './compress-built.ts'
import { sourceStamp } from './source-stamp.ts'

const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url))
const buildPatienceMs = 300_000

/**
 * The folder of the built app, built now when it is missing or its sources have changed; undefined where the project
 * has no app. Whoever comes while another builds waits for that build, in this process or in any other.
 */
export async function ensureWebBuilt(root: string = projectRoot): Promise<string | undefined> {
  const app = join(root, 'apps/web')
  if (!existsSync(join(app, 'index.html'))) return undefined
  const dist = join(app, 'dist')
  const isFresh = (): boolean => stampOf(dist) === sourceStamp(root)
  if (isFresh()) return dist
  await using _lock = await waitFor(() => tryLock(app), {
    timeoutMs: buildPatienceMs,
    everyMs: 100,
    what: 'the end of another build of apps/web',
  })
  if (isFresh()) return dist
  // Taken before: what changes during the build is built by the next start.
  const stamp = sourceStamp(root)
  await buildWeb(app, buildPatienceMs)
  await compressBuilt(dist)
  writeFileSync(stampFile(dist), stamp)
  return dist
}

/** Held by the kernel, so a builder that is killed leaves no lock behind. */
async function tryLock(app: string): Promise<AsyncDisposable | undefined> {
  try {
    return await lockDataFolder(app)
  } catch (error) {
    if (error instanceof DataFolderInUse) return undefined
    throw error
  }
}

const stampFile = (dist: string): string => join(dist, '.stamp')

function stampOf(dist: string): string | undefined {
  return existsSync(join(dist, 'index.html')) && existsSync(stampFile(dist))
    ? readFileSync(stampFile(dist), 'utf8')
    : undefined
}
