import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { events, operations, type Operation } from '@ergon/contract'
import { createClient } from '@ergon/sdk'
import * as sdk from '@ergon/sdk'
import { describe, expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { exampleTask } from './job-snippets.ts'
import { documents, hostsFor, snippetsFor } from './snippets.ts'

const origin = 'https://tasks.example'
const snippets = snippetsFor(origin)
const hosts = hostsFor(origin)
const texts = [
  ...Object.entries(snippets),
  ...hosts.flatMap(({ title, text, command }) => [text, command ?? ''].map((one) => [title, one] as const)),
]
const bindings = (Object.values(operations) as readonly Operation[]).flatMap((operation) =>
  operation.rest.map((rest) => ({ ...rest, operation })),
)
const matches = (text: string, pattern: RegExp): readonly RegExpMatchArray[] => [...text.matchAll(pattern)]

describe('what a developer copies', () => {
  test.each(texts)('%s names the service of the page and no other host', (_name, text) => {
    for (const [found] of matches(text, /https?:\/\/[^/'"\s]+/g)) expect(found).toBe(origin)
  })

  test.each(texts)('%s calls only what the client has', (_name, text) => {
    const client = createClient({ baseUrl: origin })
    for (const [, namespace = '', method = ''] of matches(text, /client\.(\w+)\.(\w+)\(/g))
      expect(Object.keys(operations)).toContain(`${namespace}.${method}`)
    for (const [, method = ''] of matches(text, /client\.(\w+)\(/g))
      expect(typeof Reflect.get(client, method)).toBe('function')
    for (const [, names = ''] of matches(text, /import \{ (.*) \} from '@ergon\/sdk'/g))
      for (const name of names.split(', ')) expect(sdk).toHaveProperty(name)
  })

  test('the snippets call at least one operation of each part of the job', () => {
    const called = matches(snippets.rest + snippets.worker, /client\.(\w+\.\w+)\(/g).map(([, name]) => name)
    expect(called).toEqual([
      'tasks.publish',
      'tasks.applications',
      'submissions.list',
      'workers.register',
      'tasks.available',
      'tasks.apply',
      'tasks.submit',
    ])
  })

  test('the task of the example can be published', () => {
    expect(faultsOf('tasks.publish', exampleTask)).toEqual({})
  })

  test('every read by curl is open to anyone, and its fields are fields of the operation', () => {
    const reads = matches(snippets.read, /curl '([^']+)'/g).map(([, url = '']) => new URL(url))
    expect(reads).toHaveLength(4)
    for (const { pathname, searchParams } of reads) {
      const found = bindings.find(({ method, path }) => method === 'GET' && path === pathname)
      expect(found?.operation.access.by, pathname).toBe('anyone')
      const fields: unknown = Reflect.get(found?.operation.input ?? {}, 'properties')
      for (const name of searchParams.keys()) expect(fields).toHaveProperty(name)
    }
  })

  test('events are events of the catalogue', () => {
    const [, list = ''] = /types: \[([^\]]+)\]/.exec(snippets.events) ?? []
    const named = list.split(', ').map((one) => one.replaceAll("'", ''))
    expect(named).toHaveLength(2)
    for (const name of named) expect(events).toHaveProperty([name])
  })

  test('the configurations for tool clients are JSON with the address of the tools', () => {
    expect(JSON.parse(snippets.mcpHttp)).toEqual({ mcpServers: { ergon: { type: 'http', url: `${origin}/mcp/` } } })
  })

  test('each tool host is told what `ergon mcp install` writes for it', () => {
    expect(hosts.map(({ title, text }) => [title, JSON.parse(text) as unknown])).toEqual([
      ['Claude Code', { mcpServers: { ergon: { type: 'http', url: `${origin}/mcp/` } } }],
      ['Cursor', { mcpServers: { ergon: { url: `${origin}/mcp/` } } }],
      ['VS Code', { servers: { ergon: { type: 'http', url: `${origin}/mcp/` } } }],
    ])
    expect(snippets.connect.split('\n')).toEqual(
      ['claude', 'cursor', 'vscode'].map((host) => `ergon mcp install ${host} --url ${origin}`),
    )
  })

  test('every command is a command of the command line', () => {
    const main = fileURLToPath(new URL('../../../../../packages/cli/src/main.ts', import.meta.url))
    const help = execFileSync(process.execPath, [main, '--help'], { encoding: 'utf8' })
    const known = matches(help, /^ {2}([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm).map(([, name]) => name)
    const used = matches(
      `${snippets.cli}\n${snippets.connect}\n${snippets.mcpSigned}`,
      /\bergon ([a-z]+)(?: ([a-z]+))?/g,
    )
    expect(used.length).toBeGreaterThan(10)
    for (const [, first = '', second = ''] of used)
      expect(known, `${first} ${second}`).toContain(known.includes(`${first} ${second}`) ? `${first} ${second}` : first)
  })

  test('every document that an operation answers is where the page says', () => {
    const paths = bindings.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining([documents.catalogue, documents.policy]))
  })
})
