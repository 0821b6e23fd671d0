import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Of `engines` in each package. */
const oldest = '22.18.0'
const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** Four builds, four packs and an install, on a machine that has other work. */
const patienceMs = 480_000
const scripts: Readonly<Record<string, readonly string[]>> = {
  contract: ['build:library', '--workspace', 'packages/sdk', '--', 'contract'],
  protocols: ['build:library', '--workspace', 'packages/sdk', '--', 'protocols'],
  sdk: ['build', '--workspace', 'packages/sdk', '--'],
  cli: ['build', '--workspace', 'packages/cli', '--'],
}

type Ran = { readonly code: number; readonly out: string }

async function run(program: string, words: readonly string[], cwd: string): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...words], { cwd, maxBuffer: 1 << 26 })
    return { code: 0, out: stdout + stderr }
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as { readonly code?: number; readonly stdout?: string; readonly stderr?: string } // of execFile
    return { code: code ?? 1, out: stdout + stderr }
  }
}

async function done(program: string, words: readonly string[], cwd: string): Promise<string> {
  const { code, out } = await run(program, words, cwd)
  if (code !== 0) throw new Error(`${program} ${words.join(' ')}\n${out}`)
  return out
}

let base: string
let elsewhere: string
const tarballs = new Map<string, string>()
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'ergon-packages-'))
  elsewhere = join(base, 'elsewhere')
  mkdirSync(elsewhere)
  for (const [name, script] of Object.entries(scripts)) {
    const [folder, packed] = [join(base, name), join(base, `${name}-packed`)]
    mkdirSync(packed)
    await done('npm', ['run', '--silent', ...script, folder], root)
    await done('npm', ['pack', '--silent', '--pack-destination', packed], folder)
    tarballs.set(name, join(packed, readdirSync(packed)[0] ?? ''))
  }
  writeFileSync(join(elsewhere, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true }))
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await done('npm', ['install', ...quiet, ...tarballs.values()], elsewhere)
}, patienceMs)
afterAll(() => {
  rmSync(base, { recursive: true, force: true })
})

/** Programs of this machine that are another Node. */
const olderNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path))

describe('npm pack gives tarballs that install into an empty folder', () => {
  test.each(['contract', 'protocols', 'sdk', 'cli'])(
    '%s passes publint, and are-the-types-wrong where it has types',
    async (name) => {
      const tarball = tarballs.get(name) ?? ''
      expect(await done(join(root, 'node_modules/.bin/publint'), ['run', tarball, '--strict'], elsewhere)).toContain(
        'All good!',
      )
      if (name === 'cli') return
      const verdict = JSON.parse(
        await done(
          join(root, 'node_modules/.bin/attw'),
          [tarball, '--profile', 'esm-only', '--format', 'json'],
          elsewhere,
        ),
      ) as { readonly analysis: { readonly problems: readonly { readonly kind: string }[] } } // its documented shape
      const kinds = new Set(verdict.analysis.problems.map(({ kind }) => kind))
      // Resolutions of before 2021, and that a module is required as what it is: Node does both ways.
      expect([...kinds].filter((kind) => kind !== 'NoResolution' && kind !== 'CJSResolvesToESM')).toEqual([])
    },
    patienceMs,
  )

  test.each([
    ['@ergon/contract', 'errorCatalogue'],
    ['@ergon/contract/wire', 'wireErrors'],
    ['@ergon/contract/facts', 'evidenceKinds'],
    ['@ergon/protocols', 'signRequest'],
    ['@ergon/sdk', 'createClient'],
  ])('%s is imported by modules and required by CommonJS', async (name, member) => {
    const asModule = `import * as all from '${name}'; console.log(typeof all['${member}'])`
    const asCommon = `console.log(typeof require('${name}')['${member}'])`
    const said = [
      await done(process.execPath, ['--input-type=module', '--eval', asModule], elsewhere),
      await done(process.execPath, ['--input-type=commonjs', '--eval', asCommon], elsewhere),
    ]
    expect(said.map((line) => line.trim())).not.toContain('undefined')
    expect(said[0]).toBe(said[1])
  })

  test('the command line is one bundle without dependencies, and says its version', async () => {
    const folder = join(elsewhere, 'node_modules/@ergon/cli')
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>
    expect(manifest).not.toHaveProperty('dependencies')
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'ergon.cjs', 'ergon.mjs', 'package.json'])
    const said = await done(process.execPath, [join(folder, 'ergon.cjs'), '--version'], elsewhere)
    expect(said.trim()).toBe(manifest['version'])
    expect(await done(process.execPath, [join(folder, 'ergon.cjs'), '--help'], elsewhere)).toContain('ergon')
  })

  test(
    'the oldest Node that is promised runs the command line by npx, and imports and requires the libraries',
    async () => {
      const folder = join(base, 'oldest')
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'oldest', private: true }))
      const program = `node-linux-${process.arch}`
      const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
      await done('npm', ['install', ...quiet, `${program}@${oldest}`], folder)
      const bin = join(folder, 'node_modules', program, 'bin')
      const node = join(bin, 'node')
      expect((await done(node, ['--version'], elsewhere)).trim()).toBe(`v${oldest}`)
      // The first node on the path is the one that npx hands its command to.
      const path = `PATH=${bin}:${process.env['PATH'] ?? ''}`
      expect((await done('env', [path, 'npx', '--no-install', 'ergon', '--version'], elsewhere)).trim()).toBe('0.1.0')
      for (const name of ['@ergon/contract', '@ergon/protocols', '@ergon/sdk']) {
        const required = `console.log(typeof require('${name}'))`
        const imported = `console.log(typeof (await import('${name}')))`
        expect(await done(node, ['--input-type=commonjs', '--eval', required], elsewhere), name).toBe('object\n')
        expect(await done(node, ['--input-type=module', '--eval', imported], elsewhere), name).toBe('object\n')
      }
    },
    patienceMs,
  )

  test.runIf(olderNode !== undefined)(
    'npx ergon --version works, and an older Node is told what it lacks',
    async () => {
      const major = Number((await done(olderNode ?? '', ['--version'], elsewhere)).slice(1).split('.')[0])
      const { code, out } = await run(olderNode ?? '', ['node_modules/.bin/ergon', '--version'], elsewhere)
      if (major < 22)
        expect([code, out]).toEqual([
          1,
          expect.stringMatching(/^ergon needs Node\.js 22\.18 or later; this is Node\.js \d+\.\d+\.\d+\.\n$/),
        ])
      else expect([code, out.trim()]).toEqual([0, '0.1.0'])
      const npx = await run('npx', ['--no-install', 'ergon', '--version'], elsewhere)
      expect(npx.out).toMatch(/^(?:0\.1\.0|ergon needs Node\.js 22\.18)/m)
    },
  )
})
