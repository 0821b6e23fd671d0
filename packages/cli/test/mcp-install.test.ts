import { hostConfig } from '@ergon/contract'
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installInto, planBridge, planHost } from '../src/mcp-install.ts'
import { openTerminal, type Terminal } from './binary.ts'

const service = 'https://tasks.example'
const url = `${service}/mcp/`

let terminal: Terminal
beforeEach(() => {
  terminal = openTerminal()
})
afterEach(() => {
  terminal[Symbol.dispose]()
})

const install = (...words: readonly string[]) => terminal.json(['mcp', 'install', ...words])
const read = (path: string): string => readFileSync(join(terminal.home, path), 'utf8')
function write(path: string, text: string): void {
  mkdirSync(dirname(join(terminal.home, path)), { recursive: true })
  writeFileSync(join(terminal.home, path), text)
}

describe('a host that signs in by itself', () => {
  test.each([
    ['claude', '.claude.json', { mcpServers: { ergon: { type: 'http', url } } }],
    ['cursor', '.cursor/mcp.json', { mcpServers: { ergon: { url } } }],
    ['vscode', '.vscode/mcp.json', { servers: { ergon: { type: 'http', url } } }],
  ])('%s is told the address of the tools', (host, file, told) => {
    const plan = planHost(host, url, terminal.env)
    expect(plan.file).toBe(host === 'vscode' ? resolve(file) : join(terminal.home, file))
    expect(JSON.parse(plan.text)).toEqual(told)
  })

  test('is told of the tools that it is there for', async () => {
    const shown = await install('cursor', '--url', service, '--print', '--tools', 'publish,services')
    expect(JSON.parse(String(shown.data['text']))).toEqual({
      mcpServers: { ergon: { url: `${url}?tools=publish,services` } },
    })
  })

  test('needs no profile, no wallet and no key, and what else its file says is kept', async () => {
    const before = '{"mcpServers":{"other":{"command":"x"},"ergon":{"command":"old","env":{"A":"b"}}},"theme":"dark"}'
    write('.cursor/mcp.json', before)
    const shown = await install('cursor', '--url', service, '--print')
    expect(shown).toMatchObject({ code: 0, data: { written: false } })
    expect(read('.cursor/mcp.json')).toBe(before)
    expect(await install('cursor', '--url', service)).toMatchObject({ code: 0, data: { written: true } })
    expect(read('.cursor/mcp.json')).toBe(`${String(shown.data['text'])}\n`)
    expect(JSON.parse(read('.cursor/mcp.json'))).toEqual({
      mcpServers: { other: { command: 'x' }, ergon: { url } },
      theme: 'dark',
    })
    expect([readdirSync(terminal.home), readdirSync(join(terminal.home, '.cursor'))]).toEqual([
      ['.cursor'],
      ['mcp.json'],
    ])
  })

  test('takes the address of the profile, or one that is given for the tools alone', async () => {
    await terminal.json(['init', '--url', service])
    const given = async (...words: readonly string[]) =>
      JSON.parse(String((await install('cursor', '--print', ...words)).data['text'])) as unknown
    expect(await given()).toEqual({ mcpServers: { ergon: { url } } })
    expect(await given('--mcp-url', 'https://mcp.example/mcp')).toEqual({
      mcpServers: { ergon: { url: 'https://mcp.example/mcp/' } },
    })
  })

  test.each([
    ['broken JSON', '{"mcpServers":'],
    ['JSON with comments', '{\n  // mine\n  "mcpServers": {}\n}'],
    ['a list', '[]'],
    ['a list of servers', '{"mcpServers":[{"url":"https://other.example"}]}'],
    ['servers that are a text', '{"mcpServers":"none"}'],
  ])('is refused where its file has %s', (_what, text) => {
    write('.claude.json', text)
    expect(() => planHost('claude', url, terminal.env)).toThrow('is no JSON object')
    expect(() => planBridge('claude', { profile: 'p', env: terminal.env })).toThrow('is no JSON object')
  })

  test('starts the bridge for the tools that it is there for', () => {
    const { text } = planBridge('cursor', { profile: 'p', env: terminal.env, tools: 'work' })
    const { mcpServers } = JSON.parse(text) as { mcpServers: { ergon: { args: readonly string[] } } }
    expect(mcpServers.ergon.args.slice(1)).toEqual(['mcp', 'serve', '--profile', 'p', '--tools', 'work'])
  })

  test('whose file is a link keeps the link', () => {
    write('dotfiles/claude.json', '{"mine":true}')
    symlinkSync(join(terminal.home, 'dotfiles/claude.json'), join(terminal.home, '.claude.json'))
    installInto(planHost('claude', url, terminal.env))
    expect(lstatSync(join(terminal.home, '.claude.json')).isSymbolicLink()).toBe(true)
    expect(JSON.parse(read('dotfiles/claude.json'))).toMatchObject({ mine: true, mcpServers: { ergon: { url } } })
  })

  test.each([
    [['nothing', '--url', service], 2, 'unknown host'],
    [['codex', '--url', service], 2, 'not known to sign in'],
    [['claude', '--url', 'file:///etc'], 2, 'no http address'],
    [['claude', '--bridge', '--mcp-url', url], 2, 'no effect with --bridge'],
    [['claude', '--tools', 'publish,all', '--url', service], 2, 'there are no tools all'],
    [['claude'], 10, 'no profile'],
  ])('%j is refused, and nothing is written', async (words, exit, says) => {
    const { code, error } = await install(...words)
    expect([code, error.message]).toEqual([exit, expect.stringContaining(says)])
    expect(readdirSync(terminal.home)).toEqual([])
  })
})

test.each(["https://tools.example/it's/mcp/", 'https://[::1]:8443/$(id)/mcp/', 'https://tools.example/`a`/mcp/'])(
  'a shell reads %s in the command of a host as one word',
  (odd) => {
    const said = ['claude', 'vscode'].map((host) => {
      const line = hostConfig(host === 'claude' ? host : 'vscode', odd).command ?? ''
      const show = `claude() { printf '%s\\n' "$@"; }; code() { claude "$@"; }; ${line}`
      return spawnSync('sh', ['-c', show], { encoding: 'utf8' }).stdout.trimEnd().split('\n').at(-1)
    })
    expect(said).toEqual([odd, JSON.stringify({ name: 'ergon', type: 'http', url: odd })])
  },
)

describe('the bridge', () => {
  const wish = () => ({ profile: 'p', env: terminal.env })

  test('takes the place of the address, and keeps what else is there', async () => {
    await terminal.json(['init'])
    write('.cursor/mcp.json', '{"mcpServers":{"other":{"command":"x"}},"theme":"dark"}')
    installInto(planHost('cursor', url, terminal.env))
    expect(await install('cursor', '--bridge')).toMatchObject({ code: 0, data: { written: true } })
    const { mcpServers, theme } = JSON.parse(read('.cursor/mcp.json')) as Record<string, Record<string, object>>
    expect([theme, mcpServers?.['other']]).toEqual(['dark', { command: 'x' }])
    expect(mcpServers?.['ergon']).toMatchObject({
      args: [expect.stringContaining('main.ts'), 'mcp', 'serve', '--profile', 'default'],
    })
    expect(mcpServers?.['ergon']).not.toHaveProperty('url')
  })

  test('is written once into a file of TOML, however often it is installed', () => {
    write('.codex/config.toml', 'model = "m"\n\n[mcp_servers.ergon]\ncommand = "old"\n\n[other]\na = 1\n')
    for (let times = 0; times < 2; times += 1) installInto(planBridge('codex', wish()))
    const text = read('.codex/config.toml')
    expect(text.match(/\[mcp_servers\.ergon\]/g)).toHaveLength(1)
    expect(text).not.toContain('"old"')
    expect(text).toContain('[other]\na = 1')
  })

  test('of an unknown client is refused', () => {
    expect(() => planBridge('nothing', wish())).toThrow('unknown client')
  })
})
