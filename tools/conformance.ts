/**
 * `npm run conformance`: runs what judges the service and writes what it came to into the report that
 * docs/reference/conformance.md is printed from. It runs what the report does not know in its present text; with
 * `--all` everything, with parts of paths those.
 */
import { writeFileSync } from 'node:fs'
import {
  conformanceReport,
  judgingFiles,
  measuredOf,
  reportPath,
  staleFiles,
  textHash,
  type ConformanceReport,
} from './reference/conformance-report.ts'
import { runVitest, verdictsIn } from './test.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const words = process.argv.slice(2)
const report = conformanceReport()
const stale = staleFiles(report)
const isAsked = (file: string): boolean => {
  if (words.includes('--all')) return true
  return words.length > 0 ? words.some((part) => file.includes(part)) : stale.includes(file)
}
const all = judgingFiles()
const files = all.filter(isAsked)
// What is edited while it runs is stale afterwards.
const texts = new Map(files.map((file) => [file, textHash(file)]))
const verdicts = files.length === 0 ? [] : verdictsIn(runVitest(['--maxWorkers=1', ...files]).lines)
const found = Object.fromEntries(
  verdicts.map((one) => [one.file, { ...measuredOf(one), text: texts.get(one.file) ?? '' }]),
)
// What no suite names any more leaves the report.
const next: ConformanceReport = Object.fromEntries(
  all.flatMap((file) => {
    const measured = found[file] ?? report[file]
    return measured === undefined ? [] : [[file, measured] as const]
  }),
)
writeFileSync(reportPath, `${JSON.stringify(next, undefined, 1)}\n`)
const unended = files.filter((file) => found[file] === undefined)
for (const file of unended) process.stdout.write(`did not end: ${file}\n`)
process.stdout.write(
  `${String(verdicts.length)} of ${String(all.length)} files measured; print the page: npm run docs\n`,
)
process.exitCode = unended.length > 0 ? 1 : 0
