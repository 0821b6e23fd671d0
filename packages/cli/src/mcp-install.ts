import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostConfig, toolHostNames } from '@ergon/contract'
import { usageError } from './cli-error.ts'
import type { Env } from './session.ts'

type Place = (env: Env, home: string) => string
type JsonClient = { readonly file: Place; readonly key: string; readonly typed?: true }

/**
 * Clients that start the bridge and keep their servers in a JSON object: where, under which member, and whether an
 * entry names its transport.
 */
const jsonClients: Readonly<Record<string, JsonClient>> = {
  claude: { file: (_, home) => join(home, '.claude.json'), key: 'mcpServers', typed: true },
  'claude-desktop': {
    file: (env, home) => join(applicationFolder(env, home), 'Claude', 'claude_desktop_config.json'),
    key: 'mcpServers',
  },
  cursor: { file: (_, home) => join(home, '.cursor', 'mcp.json'), key: 'mcpServers' },
  gemini: { file: (_, home) => join(home, '.gemini', 'settings.json'), key: 'mcpServers' },
  vscode: { file: () => resolve('.vscode', 'mcp.json'), key: 'servers', typed: true },
  windsurf: { file: (_, home) => join(home, '.codeium', 'windsurf', 'mcp_config.json'), key: 'mcpServers' },
}

export const bridgeClients: readonly string[] = [...Object.keys(jsonClients), 'codex'].sort()
export type InstallPlan = { readonly client: string; readonly file: string; readonly text: string }
type Wish = { readonly profile: string; readonly env: Env; readonly tools?: string | undefined }
type Entry = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * What the host's own file says once the address of the tools is in it, for the host to sign in by the person's
 * wallet; what else it says is kept. @throws CliError on an unknown host or an unreadable file
 */
export function planHost(client: string, url: string, env: Env): InstallPlan {
  const host = toolHostNames.find((one) => one === client)
  if (host === undefined)
    throw bridgeClients.includes(client)
      ? usageError(`${client} is not known to sign in by itself`, 'Install the bridge for it: --bridge.')
      : usageError(`unknown host: ${client}`, `There are: ${toolHostNames.join(', ')}.`)
  const { file, member, entry } = hostConfig(host, url)
  const place = file.below === 'home' ? join(env['HOME'] ?? homedir(), file.path) : resolve(file.path)
  return jsonPlan(client, place, member, entry)
}

/**
 * What the client's own file says once the bridge is in it; what else it says is kept. @throws CliError on an unknown
 * client or an unreadable file
 */
export function planBridge(client: string, wish: Wish): InstallPlan {
  const entry = entryOf(wish)
  const home = wish.env['HOME'] ?? homedir()
  const known = jsonClients[client]
  if (known !== undefined)
    return jsonPlan(
      client,
      known.file(wish.env, home),
      known.key,
      known.typed === true ? { type: 'stdio', ...entry } : entry,
    )
  if (client === 'codex')
    return tomlPlan(client, join(wish.env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'), entry)
  throw usageError(`unknown client: ${client}`, `There are: ${bridgeClients.join(', ')}.`)
}

/**
 * In one step: the client's own settings are in that file, and a crash leaves them as they were. A link to the file
 * stays a link.
 */
export function installInto({ file, text }: InstallPlan): void {
  mkdirSync(dirname(file), { recursive: true })
  const isThere = existsSync(file)
  const place = isThere ? realpathSync(file) : file
  const draft = `${place}.${String(process.pid)}.new`
  writeFileSync(draft, `${text}\n`, { mode: isThere ? statSync(place).mode & 0o777 : 0o600 })
  renameSync(draft, place)
}

/** A client starts the bridge in an environment of its own: paths are handed on, a passphrase never is. */
function entryOf({ profile, env, tools }: Wish): Entry {
  // Where it is installed, one bundle is beside the file that starts it.
  const main = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './ergon.cjs', import.meta.url))
  const paths = ['ERGON_HOME', 'ERGON_PASSPHRASE_FILE'].flatMap((name) => {
    const path = env[name]
    return path === undefined ? [] : [[name, resolve(path)] as const]
  })
  return {
    command: process.execPath,
    args: [main, 'mcp', 'serve', '--profile', profile, ...(tools === undefined ? [] : ['--tools', tools])],
    env: Object.fromEntries(paths),
  }
}

function applicationFolder(env: Env, home: string): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (process.platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config')
}

function jsonPlan(client: string, file: string, key: string, entry: unknown): InstallPlan {
  const kept = existsSync(file) ? readObject(file) : {}
  const servers = kept[key] ?? {}
  if (!isObject(servers))
    throw usageError(`${key} in ${file} is no JSON object`, 'Repair it: what is there would be lost.')
  return { client, file, text: JSON.stringify({ ...kept, [key]: { ...servers, ergon: entry } }, null, 2) }
}

// Members stay unknown and are written back as they were.
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readObject(file: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isObject(read)) return read
  } catch {
    // Said below.
  }
  throw usageError(`${file} is no JSON object`, 'Repair it, or add what --print shows for an empty file by hand.')
}

/** A section of its own, replaced when it is there; JSON strings and lists are TOML as well. */
function tomlPlan(client: string, file: string, { command, args, env }: Entry): InstallPlan {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const others = kept
    .split(/^(?=\[)/m)
    .filter((section) => !/^\[mcp_servers\.ergon[\].]/.test(section))
    .join('')
    .trimEnd()
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const section = [
    '[mcp_servers.ergon]',
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    ...(pairs.length === 0 ? [] : ['', '[mcp_servers.ergon.env]', ...pairs]),
  ].join('\n')
  return { client, file, text: others === '' ? section : `${others}\n\n${section}` }
}
