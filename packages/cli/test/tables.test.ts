import { events, type EventName } from '@ergon/contract'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { Compile } from 'typebox/compile'
import { afterAll, expect, test } from 'vitest'
import { completionScript } from '../src/completion-script.ts'
import { commands, exitCodes } from '../src/index.ts'
import { planBridge } from '../src/mcp-install.ts'
import { sampleEvent } from '../src/sample-event.ts'
import { openTerminal } from './binary.ts'

const terminal = openTerminal()
afterAll(() => {
  terminal[Symbol.dispose]()
})

test('every made-up event meets the schema of its kind', () => {
  for (const name of Object.keys(events) as EventName[]) {
    // the keys of a constant object
    const validator = Compile(events[name].data)
    const { data } = sampleEvent(name)
    expect([...validator.Errors(data)], name).toEqual([])
  }
})

test('a number of an exit never means two things', () => {
  const codes = Object.values(exitCodes).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 124, 130])
})

test.each([
  ['task --help', ['task publish', 'task cancel'], ['mcp serve']],
  ['help mcp', ['mcp serve', 'mcp limits'], ['task publish']],
  ['help task publish', ['Usage: ergon task publish'], ['task cancel']],
  ['init -h', ['Usage: ergon init'], ['task publish']],
  ['--help', ['task publish', 'mcp serve'], []],
])('ergon %s tells about those commands and no others', async (line, told, untold) => {
  const { code, out } = await terminal.run(line.split(' '))
  expect(code).toBe(0)
  for (const words of told) expect(out).toContain(words)
  for (const words of untold) expect(out).not.toContain(words)
})

test('bash completes commands, subcommands and options', () => {
  const script = completionScript('bash', commands)
  const complete = (...words: readonly string[]): readonly string[] => {
    const ask = `${script}\nCOMP_WORDS=(ergon ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${String(words.length)}; _ergon; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.trim().split('\n')
  }
  expect(complete('whoa')).toEqual(['whoami'])
  expect(complete('task', '')).toEqual(['publish', 'list', 'show', 'funding', 'watch', 'edit', 'cancel'])
  expect(complete('task', 'publish', '--dr')).toEqual(['--dry-run'])
  expect(complete('approve', '0b', '--rat')).toEqual(['--rating'])
  expect(complete('task', 'list', '--category', 'simple')).toEqual(['simple_action'])
})

test.each([
  ['claude', '.claude.json', 'mcpServers'],
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['gemini', '.gemini/settings.json', 'mcpServers'],
  ['vscode', '.vscode/mcp.json', 'servers'],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
])('%s is told where its file is, with paths and without a passphrase', (client, file, key) => {
  const plan = planBridge(client, {
    profile: 'p',
    env: { HOME: terminal.home, ERGON_HOME: '/h', ERGON_PASSPHRASE: 'secret', ERGON_PASSPHRASE_FILE: '/h/passphrase' },
  })
  expect(plan.file).toBe(client === 'vscode' ? resolve(file) : join(terminal.home, file))
  expect(JSON.parse(plan.text)).toMatchObject({
    [key]: {
      ergon: {
        args: [expect.stringContaining('main.ts'), 'mcp', 'serve', '--profile', 'p'],
        env: { ERGON_HOME: '/h', ERGON_PASSPHRASE_FILE: '/h/passphrase' },
      },
    },
  })
  expect(plan.text).not.toContain('secret')
})
