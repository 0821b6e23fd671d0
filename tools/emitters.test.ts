import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** An error event that nobody hears ends the process: whoever makes something that emits one listens, for good. */

const root = fileURLToPath(new URL('../', import.meta.url))

/** What makes emitters of errors, by the module it comes from. */
const makers: Readonly<Record<string, readonly string[]>> = {
  'node:net': ['connect', 'createConnection', 'createServer'],
  'node:tls': ['connect', 'createServer'],
  'node:http': ['createServer', 'get', 'request'],
  'node:https': ['createServer', 'get', 'request'],
  'node:http2': ['connect', 'createServer', 'createSecureServer'],
  'node:fs': ['createReadStream', 'createWriteStream'],
  'node:child_process': ['exec', 'execFile', 'fork', 'spawn'],
  'node:worker_threads': ['Worker'],
  fastify: ['default'],
  pg: ['default', 'Client', 'Pool'],
  pino: ['pino'],
  ws: ['WebSocket'],
}

/** Makers that a file imports as values: those are what it makes. */
function madeIn(source: string): readonly string[] {
  const imports = source.matchAll(/^import (?!type\b)([\w$]+)?(?:, )?(?:\{([^}]*)\})? ?from '([^']+)'/gm)
  return [...imports].flatMap(([, whole, named = '', module = '']) => {
    const names = named
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !one.startsWith('type '))
    const imported = [...(whole === undefined ? [] : ['default']), ...names.map((one) => one.split(' as ')[0] ?? one)]
    return imported.filter((name) => makers[module]?.includes(name) === true).map((name) => `${module} ${name}`)
  })
}

const listens = (source: string): boolean => source.includes(".on('error'")
/** Heard once only: the second error of the same emitter ends the process. */
const listensOnce = (source: string): boolean => source.includes(".once('error'") && !listens(source)

const sourceOf = (file: string): string => readFileSync(root + file, 'utf8')

const files = globSync(['apps/{server,facilitator,gateway}/src/**/*.ts', 'packages/{cli,process,sdk}/src/**/*.ts'], {
  cwd: root,
}).filter((file) => !/\.test\.ts$|\/testing\//.test(file))

/** Files that only name the class, or whose emitter has one error in its life. */
const exceptions: Readonly<Record<string, string>> = {
  'apps/server/src/sockets/open-socket.ts': 'listens to a socket that was made elsewhere',
  'tools/verdicts.ts': 'a reporter inside a run of the tests',
  'packages/cli/src/open-in-browser.ts': 'a program that cannot be started says so once',
}

test('whatever makes an emitter hears all of its errors', () => {
  const making = files
    .map((file) => ({ file, source: sourceOf(file) }))
    .filter(({ source }) => madeIn(source).length > 0)
  expect(making.length).toBeGreaterThan(5)
  const deaf = making.filter(({ file, source }) => !listens(source) && exceptions[file] === undefined)
  expect(deaf.map(({ file, source }) => `${file}: ${madeIn(source).join(', ')}`)).toEqual([])
})

test('nobody listens for the first error alone', () => {
  expect(files.filter((file) => exceptions[file] === undefined && listensOnce(sourceOf(file)))).toEqual([])
})

/** What a person or a service manager starts, and what it writes itself. */
const programs = globSync(
  ['{apps,packages}/*/src/main.ts', '{bench,simulation}/src/main.ts', 'packages/dev-env/src/cli/*.ts', 'tools/**/*.ts'],
  { cwd: root },
).filter((file) => !file.endsWith('.test.ts') && /process\.std(?:out|err)\b/.test(sourceOf(file)))

test('a program whose reader is gone does not end by it', () => {
  expect(programs.length).toBeGreaterThan(10)
  const isHeard = (source: string): boolean => listens(source) || source.includes('await runProcess(')
  expect(programs.filter((file) => !isHeard(sourceOf(file)) && exceptions[file] === undefined)).toEqual([])
})

test('a file that forgets is found', () => {
  expect(madeIn("import { connect as open } from 'node:net'\n")).toEqual(['node:net connect'])
  expect(
    madeIn(
      "import { type Socket, createServer } from 'node:net'\nimport pg from 'pg'\nimport type { Pool } from 'pg'\n",
    ),
  ).toEqual(['node:net createServer', 'pg default'])
  expect(listensOnce("client.once('error', done)")).toBe(true)
})
