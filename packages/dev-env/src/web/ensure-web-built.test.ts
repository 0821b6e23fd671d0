import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureWebBuilt } from './ensure-web-built.ts'

/** Takes the place of Vite: a build takes the sources as they are, is counted, and fails when they say so. */
const builder = `
import { appendFileSync, cpSync, readFileSync, mkdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
appendFileSync('builds.log', process.argv[2] + ' ' + process.env.NODE_ENV + '\\n')
await setTimeout(200)
const main = readFileSync('src/main.js', 'utf8')
if (main.includes('broken')) {
  for (let n = 1; n <= 40; n++) console.error('line ' + n)
  console.error('main.js: broken')
  process.exit(1)
}
mkdirSync('dist/assets', { recursive: true })
cpSync('index.html', 'dist/index.html')
cpSync('src/main.js', 'dist/assets/main-1.js')`

let root: string
const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
const builds = (): readonly string[] =>
  existsSync(join(root, 'apps/web/builds.log'))
    ? readFileSync(join(root, 'apps/web/builds.log'), 'utf8').trim().split('\n')
    : []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ergon-build-'))
  write('apps/web/package.json', '{"type":"module"}')
  write('apps/web/index.html', '<!doctype html>')
  write('apps/web/src/main.js', 'let count = 1\n'.repeat(50))
  write('packages/sdk/src/index.ts', 'export {}')
  write('package-lock.json', '{}')
  write('apps/web/node_modules/vite/package.json', '{"name":"vite","type":"module"}')
  write('apps/web/node_modules/vite/bin/vite.js', builder)
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

test('the app is built when it is missing, for production, and not again while nothing changes', async () => {
  expect([await ensureWebBuilt(root), await ensureWebBuilt(root)]).toEqual([
    join(root, 'apps/web/dist'),
    join(root, 'apps/web/dist'),
  ])
  expect(builds()).toEqual(['build production'])
})

test.each([
  ['a source', 'apps/web/src/main.js'],
  ['a new source', 'apps/web/src/more.js'],
  ['an icon', 'apps/web/public/icons/a.svg'],
  ['the page', 'apps/web/index.html'],
  ['the build settings', 'apps/web/vite.config.ts'],
  ['the client library', 'packages/sdk/src/index.ts'],
  ['a dependency', 'package-lock.json'],
])('a change of %s is built', async (_what, path) => {
  await ensureWebBuilt(root)
  write(path, 'changed')
  await ensureWebBuilt(root)
  expect(builds()).toHaveLength(2)
})

test('what is lost is built again, and what is no source changes nothing', async () => {
  await ensureWebBuilt(root)
  write('apps/web/README.md', 'changed')
  await ensureWebBuilt(root)
  expect(builds()).toHaveLength(1)
  rmSync(join(root, 'apps/web/dist/index.html'))
  await ensureWebBuilt(root)
  expect(builds()).toHaveLength(2)
})

test('those who come at once wait for one build', async () => {
  const found = await Promise.all(Array.from({ length: 5 }, () => ensureWebBuilt(root)))
  expect(new Set(found).size).toBe(1)
  expect(builds()).toHaveLength(1)
})

test('the smallest forms stand beside the script', async () => {
  const script = join(String(await ensureWebBuilt(root)), 'assets/main-1.js')
  const plain = readFileSync(script)
  expect([brotliDecompressSync(readFileSync(`${script}.br`)), gunzipSync(readFileSync(`${script}.gz`))]).toEqual([
    plain,
    plain,
  ])
})

test('a failed build is told with the end of what it said, leaves no app, and is tried again', async () => {
  write('apps/web/src/main.js', 'broken')
  const failed = ensureWebBuilt(root)
  await expect(failed).rejects.toThrow(/could not be built \(exit 1\)[^]*line 40\nmain\.js: broken$/)
  await expect(failed).rejects.not.toThrow('line 5\n')
  expect(existsSync(join(root, 'apps/web/dist'))).toBe(false)
  write('apps/web/src/main.js', 'mended')
  expect(existsSync(join(String(await ensureWebBuilt(root)), 'index.html'))).toBe(true)
})

test('a project without the app has nothing to build, and one without Vite says what to do', async () => {
  rmSync(join(root, 'apps/web/node_modules'), { recursive: true })
  await expect(ensureWebBuilt(root)).rejects.toThrow('npm ci')
  rmSync(join(root, 'apps/web'), { recursive: true })
  expect(await ensureWebBuilt(root)).toBeUndefined()
})
