/**
 * `npm test [path…]`: every test once, and as its last line what really ran.
 *
 * The counts come from vitest's own report, not from its output; a file that does not load counts as one failure,
 * and a run in which nothing ran is a failure too.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[]
}
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number }

const timeoutMs = 60 * 60_000

/** What a report adds up to. A failed file without a failed test never got as far as its tests. */
export function tallyOf(report: VitestReport): Tally {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** `12 passed, 0 failed`, and the skipped ones when there are any. */
export function sentenceOf({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function runVitest(filters: readonly string[]): { readonly tally: Tally; readonly exitCode: number } {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const reportPath = `${root}.cache/tests-${process.pid}.json`
  mkdirSync(`${root}.cache`, { recursive: true })
  const vitest = `${root}node_modules/.bin/vitest`
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`, ...filters]
  const child = spawnSync(process.execPath, [vitest, ...options], { cwd: root, stdio: 'inherit', timeout: timeoutMs })
  try {
    // vitest wrote this file a moment ago; a run that broke before writing it lands in the catch.
    const report = JSON.parse(readFileSync(reportPath, 'utf8')) as VitestReport
    return { tally: tallyOf(report), exitCode: child.status ?? 1 }
  } catch {
    return { tally: { passed: 0, failed: 1, skipped: 0 }, exitCode: child.status ?? 1 }
  } finally {
    rmSync(reportPath, { force: true })
  }
}

if (import.meta.main) {
  const { tally, exitCode } = runVitest(process.argv.slice(2))
  // An error outside any test leaves every test green and vitest's exit code red.
  const failed = exitCode !== 0 && tally.failed === 0 ? 1 : tally.failed
  process.exitCode = failed > 0 || tally.passed === 0 ? 1 : 0
  process.stdout.write(`\n${sentenceOf({ ...tally, failed })}\n`)
}
