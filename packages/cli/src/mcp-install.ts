import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usageError } from './cli-error.ts'
import type { Env } from './session.ts'

export const mcpClients = ['claude', 'cursor', 'vscode', 'codex'] as const
export type InstallPlan = { readonly client: string; readonly file: string; readonly text: string }
type Wish = { readonly profile: string; readonly env: Env; readonly keepsHome: string | undefined }
type Entry = { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }

/** What the client's own file says once the bridge is in it; what else it says is kept. @throws CliError on an unknown client or an unreadable file */
export function planInstall(client: string, wish: Wish): InstallPlan {
  const entry = entryOf(wish)
  const home = wish.env['HOME'] ?? homedir()
  if (client === 'claude') return jsonPlan(client, join(home, '.claude.json'), 'mcpServers', { type: 'stdio', ...entry })
  if (client === 'cursor') return jsonPlan(client, join(home, '.cursor', 'mcp.json'), 'mcpServers', entry)
  if (client === 'vscode') return jsonPlan(client, resolve('.vscode', 'mcp.json'), 'servers', { type: 'stdio', ...entry })
  if (client === 'codex') return tomlPlan(client, join(wish.env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'), entry)
  throw usageError(`unknown client: ${client}`, `There are: ${mcpClients.join(', ')}.`)
}

export function installInto({ file, text }: InstallPlan): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

function entryOf({ profile, keepsHome }: Wish): Entry {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  return { command: process.execPath, args: [main, 'mcp', 'serve', '--profile', profile], env: keepsHome === undefined ? {} : { ERGON_HOME: resolve(keepsHome) } }
}

function jsonPlan(client: string, file: string, key: string, entry: unknown): InstallPlan {
  const kept = existsSync(file) ? readObject(file) : {}
  const servers = kept[key]
  return { client, file, text: JSON.stringify({ ...kept, [key]: { ...(typeof servers === 'object' ? servers : {}), ergon: entry } }, null, 2) }
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    // Members stay unknown and are written back as they were.
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw usageError(`${file} is no JSON object`, 'Repair it, or add what --dry-run prints for an empty file by hand.')
}

/** A section of its own, replaced when it is there; JSON strings and lists are TOML as well. */
function tomlPlan(client: string, file: string, { command, args, env }: Entry): InstallPlan {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const others = kept.split(/^(?=\[)/m).filter((section) => !/^\[mcp_servers\.ergon[\].]/.test(section)).join('').trimEnd()
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const section = ['[mcp_servers.ergon]', `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`, ...(pairs.length === 0 ? [] : ['', '[mcp_servers.ergon.env]', ...pairs])].join('\n')
  return { client, file, text: others === '' ? section : `${others}\n\n${section}` }
}
