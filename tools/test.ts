/**
 * `npm test`: every quick test; `npm run test:long`: every other, with `-- --turn` those whose turn it is today; with
 * paths either runs what is there, quick or long. The last line says what really ran.
 *
 * The counts come from vitest's own verdicts, file by file as each ends, so that a run that was cut says what it had;
 * a file that does not load counts as one failure, and so does each that did not end. A run in which nothing ran
 * failed.
 * Of a whole run, a few files that failed, or beside which an error came outside any test, run once more by themselves:
 * what fails again failed, and what passes is told as unsteady. That is a fault too, of the test or of what it tests,
 * but none of the change under test.
 * A whole run whose judges of others came to something else than the committed report says failed as well.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { conformanceReport, differences } from './reference/conformance-report.ts'
import { dayOf, inTurn, longFiles } from './turns.ts'
import type { Begun, FileVerdict, Outside } from './verdicts.ts'

export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly unended?: number
  readonly unsteady?: readonly string[]
}

const timeoutMs = 60 * 60_000
const nothing: Tally = { passed: 0, failed: 0, skipped: 0, unended: 0 }
/** When more files fail than this, it is no coincidence. */
const mostAgain = 5

/** The reporter beside this file wrote them a moment ago; the last may be cut. */
type Line = Begun | Outside | FileVerdict

function parsed(lines: readonly string[]): readonly Line[] {
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Line)
}

export function verdictsIn(lines: readonly string[]): readonly FileVerdict[] {
  return parsed(lines).filter((line): line is FileVerdict => 'passed' in line)
}

function outsideIn(lines: readonly string[]): readonly Outside[] {
  return parsed(lines).filter((line): line is Outside => 'outside' in line)
}

/** What the lines of a run add up to: the first says how many files there are, each other what one file came to. */
export function tallyOf(lines: readonly string[]): Tally {
  const [begun] = parsed(lines)
  if (begun === undefined || !('files' in begun)) return { ...nothing, failed: 1 }
  const verdicts = verdictsIn(lines)
  const unended = begun.files - verdicts.length
  const outside = outsideIn(lines).reduce((sum, line) => sum + line.outside, 0)
  return verdicts.reduce<Tally>(
    (total, { passed, failed, skipped }) => ({
      ...total,
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { ...nothing, failed: unended + outside, unended },
  )
}

/** The files of a run that gave no verdict: it was cut, or they were. */
export function unendedFiles(lines: readonly string[]): readonly string[] {
  const [begun] = parsed(lines)
  if (begun === undefined || !('files' in begun)) return []
  const ended = new Set(verdictsIn(lines).map(({ file }) => file))
  return (begun.named ?? []).filter((file) => !ended.has(file))
}

/** Where the time of a run went: its slowest files, and what all of them took together. */
export function slowestOf(lines: readonly string[], most = 15): readonly string[] {
  const slowest = verdictsIn(lines).toSorted((one, other) => other.ms - one.ms)
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`
  const total = slowest.reduce((sum, { ms }) => sum + ms, 0)
  return [
    ...slowest.slice(0, most).map(({ file, ms }) => `${seconds(ms)}  ${file}`),
    `${seconds(total)}  ${String(slowest.length)} files, one after the other`,
  ]
}

/** The files that failed, in their order, and then those beside which an error came outside any test. */
export function failedFiles(lines: readonly string[]): readonly string[] {
  const failed = verdictsIn(lines).filter((verdict) => verdict.failed > 0)
  return [...new Set([...failed.map(({ file }) => file), ...outsideIn(lines).flatMap(({ beside }) => beside)])]
}

/** A run whose failed files ran again: their second verdict counts. */
export function tallyAgain(first: readonly string[], again: readonly string[]): Tally {
  const failing = failedFiles(again)
  const unsteady = verdictsIn(again)
    .map(({ file }) => file)
    .filter((file) => !failing.includes(file))
  return { ...tallyOf(linesAgain(first, again)), unsteady }
}

function linesAgain(first: readonly string[], again: readonly string[]): readonly string[] {
  const second = verdictsIn(again)
  const isAgain = new Set(second.map(({ file }) => file))
  const files = (line: string): readonly string[] => [
    ...verdictsIn([line]).map(({ file }) => file),
    ...outsideIn([line]).flatMap(({ beside }) => beside),
  ]
  const kept = first.filter((line) => !files(line).some((file) => isAgain.has(file)))
  return [...kept, ...[...second, ...outsideIn(again)].map((one) => JSON.stringify(one))]
}

/** What a whole run says about the report of what others judge; each difference is a failure. */
function judged(lines: readonly string[], tally: Tally): Tally {
  const drifted = differences(conformanceReport(), verdictsIn(lines), process.env['CI'] === undefined)
  for (const sentence of drifted) process.stdout.write(`failed: ${sentence}\n`)
  return { ...tally, failed: tally.failed + drifted.length }
}

/** `12 passed, 0 failed`, and the skipped and cut ones when there are any. */
export function sentenceOf({ passed, failed, skipped, unended = 0, unsteady = [] }: Tally): string {
  const rest = [
    ...(skipped > 0 ? [`${String(skipped)} skipped`] : []),
    ...(unended > 0 ? [`${String(unended)} files did not end`] : []),
    ...(unsteady.length > 0 ? [`unsteady: ${unsteady.join(', ')}`] : []),
  ]
  return [`${String(passed)} passed, ${String(failed)} failed`, ...rest].join(', ')
}

type Run = { readonly lines: readonly string[]; readonly exitCode: number }

export function runVitest(options: readonly string[]): Run {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const verdicts = `${root}.cache/verdicts-${String(process.pid)}.jsonl`
  mkdirSync(`${root}.cache`, { recursive: true })
  const args = [`${root}node_modules/.bin/vitest`, 'run', ...options]
  const child = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: timeoutMs,
    // Every service a test starts is read from disk compiled: half of what its start costs.
    env: { NODE_COMPILE_CACHE: `${root}.cache/compiled`, ...process.env, ERGON_VERDICTS: verdicts },
  })
  try {
    return { lines: readFileSync(verdicts, 'utf8').split('\n'), exitCode: child.status ?? 1 }
  } catch {
    return { lines: [], exitCode: child.status ?? 1 }
  } finally {
    rmSync(verdicts, { force: true })
  }
}

/** All of a project, or these files of it, and what failed once more. */
function runProject(
  project: 'quick' | 'long',
  files: readonly string[] = [],
): { readonly tally: Tally; readonly exitCode: number } {
  const first = runVitest([`--project=${project}*`, ...files])
  process.stdout.write(`\nthe slowest files:\n${slowestOf(first.lines).join('\n')}\n`)
  for (const file of unendedFiles(first.lines)) process.stdout.write(`failed: ${file} did not end\n`)
  const failed = failedFiles(first.lines)
  if (failed.length === 0 || failed.length > mostAgain)
    return { tally: judged(first.lines, tallyOf(first.lines)), exitCode: first.exitCode }
  process.stdout.write(`\nonce more, by themselves: ${failed.join(', ')}\n`)
  const again = runVitest(['--maxWorkers=1', ...failed])
  const tally = judged(linesAgain(first.lines, again.lines), tallyAgain(first.lines, again.lines))
  return { tally, exitCode: again.exitCode }
}

if (import.meta.main) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const words = process.argv.slice(2)
  const paths = words.filter((word) => word !== '--long' && word !== '--turn')
  const files = words.includes('--turn') ? inTurn(longFiles(), dayOf(Date.now())) : []
  const run = paths.length === 0 ? undefined : runVitest(paths)
  const { tally, exitCode } =
    run === undefined
      ? runProject(words.includes('--long') ? 'long' : 'quick', files)
      : { tally: tallyOf(run.lines), exitCode: run.exitCode }
  // An error outside any test leaves every test green and vitest's exit code red.
  const isRed = exitCode !== 0 && tally.failed === 0
  if (isRed) process.stdout.write(`\nfailed: every test is green, and the run ended with ${String(exitCode)}\n`)
  const failed = isRed ? 1 : tally.failed
  process.exitCode = failed > 0 || tally.passed === 0 ? 1 : 0
  process.stdout.write(`\n${sentenceOf({ ...tally, failed })}\n`)
}
