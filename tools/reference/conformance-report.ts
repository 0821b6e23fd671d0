import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FileVerdict } from '../verdicts.ts'
import { suites, type Suite } from './suites.ts'
import { declaredVersions } from './test-data.ts'

/** What one file of tests came to, and the text and the versions that it was measured with. */
export type Measured = Pick<FileVerdict, 'passed' | 'faults' | 'left' | 'told'> & { readonly text: string }
/** The last run of what judges the service, by the file of tests that runs it. */
export type ConformanceReport = Readonly<Record<string, Measured>>

const root = fileURLToPath(new URL('../../', import.meta.url))
export const reportPath = `${root}tools/reference/conformance.json`

/** `npm run conformance` writes it, and no other shape of it. */
export function conformanceReport(): ConformanceReport {
  return JSON.parse(readFileSync(reportPath, 'utf8')) as ConformanceReport
}

/** Every file of tests that a suite names, once. */
export function judgingFiles(all: readonly Suite[] = suites): readonly string[] {
  return [...new Set(all.flatMap(({ tests }) => tests))].toSorted()
}

/** What a measurement is of: the text of the tests, and the versions of what judges in them. */
export function textHash(file: string): string {
  const versions = declaredVersions()
  const judges = suites.filter(({ tests }) => tests.includes(file)).flatMap(({ packages }) => packages)
  const hash = createHash('sha256').update(readFileSync(root + file, 'utf8'))
  for (const one of judges.toSorted()) hash.update(`\n${one} ${versions[one] ?? ''}`)
  return hash.digest('base64url').slice(0, 16)
}

/** Files whose text, or whose judges, the report does not know: they have to be measured anew. */
export function staleFiles(report: ConformanceReport): readonly string[] {
  return judgingFiles().filter((file) => report[file]?.text !== textHash(file))
}

export function measuredOf({ file, passed, faults, left, told }: FileVerdict): Measured {
  return { text: textHash(file), passed, faults, left, told }
}

/**
 * Where a whole run came to something else than the report says, a sentence each. A file of which a machine left tests
 * out, because it lacks a browser, is compared only where nothing may be left out.
 */
export function differences(
  report: ConformanceReport,
  verdicts: readonly FileVerdict[],
  mayLeaveOut: boolean,
): readonly string[] {
  return verdicts
    .filter(({ file }) => judgingFiles().includes(file))
    .filter(({ skipped, file }) => !mayLeaveOut || skipped <= (report[file]?.left.length ?? 0))
    .filter((one) => one.failed === 0)
    .filter((one) => {
      const { text: _, ...now } = measuredOf(one)
      const { text: __, ...then } = report[one.file] ?? { text: '' }
      return JSON.stringify(now) !== JSON.stringify(then)
    })
    .map(({ file }) => `docs/reference/conformance.md says something else of this: npm run conformance -- ${file}`)
}
