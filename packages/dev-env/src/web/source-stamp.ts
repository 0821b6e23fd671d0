import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const sources = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/index.html',
  'apps/web/vite.config.ts',
  'packages/contract/src',
  'packages/protocols/src',
  'packages/sdk/src',
  'package-lock.json',
]

/** One word for everything the built app is made from: names, sizes and contents, whatever the times of the files. */
export function sourceStamp(root: string): string {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesAt(root, source))) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\0${String(bytes.length)}\0`).update(bytes)
  }
  return hash.digest('hex')
}

function filesAt(root: string, path: string): readonly string[] {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesAt(root, `${path}/${name}`))
}
