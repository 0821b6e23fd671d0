/**
 * `npm test`: every quick test; `npm run test:long`: every other; with paths either runs what is there, quick or long.
 * The last line says what really ran.
 *
 * The counts come from vitest's own verdicts, file by file as each ends, so that a run that was cut says what it had;
 * a file that does not load counts as one failure, and so does each that did not end. A run in which nothing ran failed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FileVerdict } from './verdicts.ts'

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number; readonly unended?: number }

const timeoutMs = 60 * 60_000
const nothing: Tally = { passed: 0, failed: 0, skipped: 0, unended: 0 }

/** What the lines of a run add up to: the first says how many files there are, each other what one file came to. */
export function tallyOf(lines: readonly string[]): Tally {
  // The reporter beside this file wrote them a moment ago; the last may be cut.
  const [begun, ...ended] = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as { readonly files: number } | FileVerdict)
  if (begun === undefined || !('files' in begun)) return { ...nothing, failed: 1 }
  const verdicts = ended.filter((line) => 'passed' in line)
  const unended = begun.files - verdicts.length
  return verdicts.reduce<Tally>(
    (total, { passed, failed, skipped }) => ({ ...total, passed: total.passed + passed, failed: total.failed + failed, skipped: total.skipped + skipped }),
    { ...nothing, failed: unended, unended },
  )
}

/** `12 passed, 0 failed`, and the skipped and cut ones when there are any. */
export function sentenceOf({ passed, failed, skipped, unended = 0 }: Tally): string {
  const rest = [...skipped > 0 ? [`${String(skipped)} skipped`] : [], ...unended > 0 ? [`${String(unended)} files did not end`] : []]
  return [`${String(passed)} passed, ${String(failed)} failed`, ...rest].join(', ')
}

function runVitest(filters: readonly string[], project: 'quick' | 'long'): { readonly tally: Tally; readonly exitCode: number } {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const verdicts = `${root}.cache/verdicts-${String(process.pid)}.jsonl`
  mkdirSync(`${root}.cache`, { recursive: true })
  const options = ['run', ...filters.length === 0 ? [`--project=${project}`] : [], ...filters]
  const child = spawnSync(process.execPath, [`${root}node_modules/.bin/vitest`, ...options], { cwd: root, stdio: 'inherit', timeout: timeoutMs, env: { ...process.env, ERGON_VERDICTS: verdicts } })
  try {
    return { tally: tallyOf(readFileSync(verdicts, 'utf8').split('\n')), exitCode: child.status ?? 1 }
  } catch {
    return { tally: { ...nothing, failed: 1 }, exitCode: child.status ?? 1 }
  } finally {
    rmSync(verdicts, { force: true })
  }
}

if (import.meta.main) {
  const [first, ...others] = process.argv.slice(2)
  const isLong = first === '--long'
  const { tally, exitCode } = runVitest(isLong || first === undefined ? others : [first, ...others], isLong ? 'long' : 'quick')
  // An error outside any test leaves every test green and vitest's exit code red.
  const failed = exitCode !== 0 && tally.failed === 0 ? 1 : tally.failed
  process.exitCode = failed > 0 || tally.passed === 0 ? 1 : 0
  process.stdout.write(`\n${sentenceOf({ ...tally, failed })}\n`)
}
