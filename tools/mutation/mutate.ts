/**
 * `npm run mutate`: every small change of the rules that compiles, and whether a test turns red for it.
 *
 * Without arguments the whole of `core` and `dispatch`, and the report beside this file is written anew.
 * `-- --changed [base]` tries what differs from a commit, for three minutes at most, and fails for a survivor that the
 * report does not name. `-- --last --json` prints the scores of the last whole run. `-- --only part [--tests part]`
 * tries
 * some files with some tests, and `--fresh` forgets what earlier runs here killed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepKills, knownKills } from './kills.ts'
import { folders, plan, root, sourcesOf, testFiles, writeCopies, type Folder } from './plan.ts'
import { newSurvivors, reportOf, scoresOf, sentenceOf, type Report } from './report.ts'
import { tryAll, type Tried, type Verdict } from './rounds.ts'

const reportPath = join(root, 'tools/mutation/report.json')
const names = Object.keys(folders) as Folder[]

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
// Written by a whole run, read by nobody else.
const lastReport = (): Report => JSON.parse(readFileSync(reportPath, 'utf8')) as Report

const nothing = { verdicts: new Map<number, Verdict>() }

type Files = Readonly<Record<Folder, readonly string[]>>

async function run(files: Files, minutes: number): Promise<Report> {
  const until = Date.now() + minutes * 60_000
  const core = plan('core', files.core, 1)
  const dispatch = plan('dispatch', files.dispatch, 1_000_000)
  const all = [...core, ...dispatch]
  say(`${String(all.length)} mutants compile`)
  if (all.length === 0) return { core: reportOf([], nothing), dispatch: reportOf([], nothing) }
  writeCopies(all)
  const before = values.fresh === true ? new Map<number, string>() : knownKills(all)
  if (before.size > 0) say(`${String(before.size)} were killed by an earlier run over the same text`)
  const own = testFiles().filter((file) => values.tests?.some((part) => file.includes(part)) ?? true)
  const mutants = all.filter(({ id }) => !before.has(id))
  const now = await tryAll({ all, mutants, files: own, until, say })
  keepKills(all, now.killers)
  const verdicts = new Map([...now.verdicts, ...[...before.keys()].map((id) => [id, 'killed'] as const)])
  const tried: Tried = { ...now, verdicts }
  for (const test of tried.unusable) say(`cannot be repeated: ${test}`)
  return { core: reportOf(core, tried), dispatch: reportOf(dispatch, tried) }
}

async function whole(minutes: number): Promise<boolean> {
  const report = await run({ core: sourcesOf('core'), dispatch: sourcesOf('dispatch') }, minutes)
  writeFileSync(reportPath, `${JSON.stringify(report, null, 1)}\n`)
  for (const name of names) say(sentenceOf(name, report[name]))
  return names.every((name) => report[name].percent >= folders[name].floor)
}

/** Of files whose paths contain one of the parts, to work on: no report is written. */
async function some(parts: readonly string[], minutes: number): Promise<void> {
  const own = (folder: Folder): readonly string[] =>
    sourcesOf(folder).filter((file) => parts.some((part) => file.includes(part)))
  const report = await run({ core: own('core'), dispatch: own('dispatch') }, minutes)
  for (const name of names) say(sentenceOf(name, report[name]))
}

function lastTold(isJson: boolean): string {
  const last = lastReport()
  return isJson ? JSON.stringify(scoresOf(last)) : names.map((name) => sentenceOf(name, last[name])).join('\n')
}

async function changed(base: string): Promise<boolean> {
  const text = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', base], { cwd: root, encoding: 'utf8' })
  const paths = new Set(text.split('\n'))
  const own = (folder: Folder): readonly string[] => sourcesOf(folder).filter((file) => paths.has(file))
  const report = await run({ core: own('core'), dispatch: own('dispatch') }, 3)
  const last = lastReport()
  for (const name of names) say(sentenceOf(name, report[name]))
  const added = names.flatMap((name) => newSurvivors(report[name], last[name]))
  for (const { file, line, was, now } of added) say(`new: ${file}:${String(line)} ${was} → ${now}`)
  return added.length === 0
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    last: { type: 'boolean' },
    json: { type: 'boolean' },
    changed: { type: 'boolean' },
    fresh: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '60' },
  },
})
const { only } = values
if (values.last === true) say(lastTold(values.json === true))
else if (only !== undefined) await some(only, Number(values.minutes))
else {
  const isGood = await (values.changed === true ? changed(positionals[0] ?? 'HEAD') : whole(Number(values.minutes)))
  process.exitCode = isGood ? 0 : 1
}
