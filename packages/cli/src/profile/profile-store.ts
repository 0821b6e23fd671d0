import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WrittenLimits } from '../bridge/limits-of-signing.ts'
import { CliError, usageError } from '../cli-error.ts'

/** Who acts, and where. `signer` is `file` (a key file beside this one), `exec:<command>` or `http:<url>`. */
export type Profile = {
  readonly url: string
  readonly network?: string
  readonly address: string
  readonly signer: string
  readonly rpc_url?: string
  /** What the bridge may sign for; without them it signs no payment. */
  readonly signing_limits?: WrittenLimits
}
type Config = { readonly current?: string; readonly profiles: Readonly<Record<string, Profile>> }

/** The profiles of this machine's user: one file for them all, and a key file each. */
export interface ProfileStore {
  readonly folder: string
  read(): Config
  /** @throws CliError when there is none of that name */
  get(name: string): Profile
  put(name: string, profile: Profile): void
  use(name: string): void
  keyFile(name: string): string
  writeKey(name: string, text: string): void
}

/** ERGON_HOME, else `ergon` in the configuration folder of the user. */
export function openProfileStore(env: Readonly<Record<string, string | undefined>>): ProfileStore {
  const folder = env['ERGON_HOME'] ?? join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'ergon')
  const file = join(folder, 'config.json')
  const keyFile = (name: string): string => join(folder, 'keys', `${name}.json`)
  const read = (): Config => (existsSync(file) ? parseConfig(readFileSync(file, 'utf8'), file) : { profiles: {} })
  const write = (config: Config): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writePrivately(file, `${JSON.stringify(config, null, 2)}\n`)
  }
  return {
    folder,
    read,
    keyFile,
    get(name) {
      const profile = read().profiles[name]
      if (profile === undefined)
        throw new CliError(
          'auth',
          'NO_PROFILE',
          `there is no profile ${name}`,
          `Make it with: ergon init --profile ${name}`,
        )
      return profile
    },
    put(name, profile) {
      const config = read()
      write({ current: config.current ?? name, profiles: { ...config.profiles, [name]: profile } })
    },
    use(name) {
      const { profiles } = read()
      if (profiles[name] === undefined)
        throw new CliError('notFound', 'NO_PROFILE', `there is no profile ${name}`, 'See ergon config list.')
      write({ current: name, profiles })
    },
    writeKey(name, text) {
      mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
      writePrivately(keyFile(name), text)
    },
  }
}

/** @throws CliError: the name becomes a file name */
export function requireProfileName(name: string): string {
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/i.test(name))
    throw usageError('a profile name has letters, digits, - and _, at most 40')
  return name
}

/** In one step, so that a crash leaves the old file or the new one; read and written by its owner alone. */
function writePrivately(path: string, text: string): void {
  const draft = `${path}.${String(process.pid)}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

function parseConfig(text: string, file: string): Config {
  try {
    const config: unknown = JSON.parse(text)
    // The file is written by this program; what is not an object with profiles is refused.
    if (typeof config === 'object' && config !== null && 'profiles' in config) return config as Config
  } catch {
    // Said below.
  }
  throw usageError(`${file} is not a configuration of ergon`, 'Repair or remove the file, then run ergon init.')
}
