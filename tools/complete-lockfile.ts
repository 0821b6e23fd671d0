/**
 * Completes package-lock.json with the optional packages of foreign platforms.
 *
 * A registry mirror that does not carry a package for another platform makes `npm install` leave it out of the
 * lock, and `npm ci` then refuses the lock on every machine, the ones that never wanted that package included.
 * An added entry has no integrity, so that `npm ci` works again; the check refuses it all the same, because what is
 * fetched by its version alone could be anything: pin a version that the registry serves for every platform.
 */
import { readFileSync, writeFileSync } from 'node:fs'

type LockEntry = {
  readonly version?: string
  readonly optional?: boolean
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type LockPackages = Readonly<Record<string, LockEntry>>
type Lockfile = { readonly packages: LockPackages }

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
] as const
const processors = [
  'arm64',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'arm',
  'wasm32',
] as const

/** The optional packages that some locked package names and the lock does not hold, by their path in the lock. */
export function missingOptionals(packages: LockPackages): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {}
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(packages, parent, name)) continue
      const platform = platformOf(name)
      if (platform === undefined)
        throw new Error(`${name} is optional in ${parent}, is not locked, and its name tells no platform`)
      missing[`node_modules/${name}`] = { version, optional: true, ...platform }
    }
  }
  return missing
}

/**
 * The packages that would be fetched by their version alone; what comes inside another's tarball is covered by that
 * one.
 */
export function withoutIntegrity(packages: LockPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { integrity, link, inBundle }]) =>
    path.startsWith('node_modules/') && integrity === undefined && link !== true && inBundle !== true ? [path] : [],
  )
}

/** Node's own resolution: the parent's node_modules first, then every folder above it. */
function isLocked(packages: LockPackages, parent: string, name: string): boolean {
  let folder = parent
  for (;;) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[candidate] !== undefined) return true
    if (folder === '') return false
    folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : ''
  }
}

function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu'> | undefined {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  const cpu = processors.find((processor) => words.includes(processor)) ?? (words.includes('arm') ? 'arm' : undefined)
  if (cpu === 'wasm32') return { cpu: [cpu] }
  const os = systems.find((system) => words.includes(system))
  return os === undefined || cpu === undefined ? undefined : { os: [os], cpu: [cpu] }
}

/** The lock's text with the missing entries in their sorted place, and how many there were. */
export function completeLockfile(text: string): { readonly text: string; readonly added: readonly string[] } {
  // npm writes this file and no other shape of it is ever read here.
  const lock = JSON.parse(text) as Lockfile
  const missing = missingOptionals(lock.packages)
  const packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en')),
  )
  return { text: `${JSON.stringify({ ...lock, packages }, null, 2)}\n`, added: Object.keys(missing) }
}

if (import.meta.main) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const path = new URL('../package-lock.json', import.meta.url)
  const { text, added } = completeLockfile(readFileSync(path, 'utf8'))
  const unproven = withoutIntegrity((JSON.parse(text) as Lockfile).packages)
  if (unproven.length > 0) {
    process.stderr.write(
      `package-lock.json has no integrity for ${unproven.join(', ')}: pin a version that is served for every platform\n`,
    )
    process.exitCode = 1
  }
  if (added.length > 0 && process.argv.includes('--check')) {
    process.stderr.write(`package-lock.json lacks ${added.join(', ')}: run npm run lock\n`)
    process.exitCode = 1
  } else if (added.length > 0) writeFileSync(path, text)
  process.stdout.write(`${added.length} optional packages ${process.argv.includes('--check') ? 'missing' : 'added'}\n`)
}
