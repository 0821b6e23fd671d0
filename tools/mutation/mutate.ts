/**
 * `npm run mutate`: every small change of the rules that compiles, and whether a test turns red for it.
 *
 * Without arguments the whole of `core` and `dispatch`, and the report beside this file is written anew.
 * `-- --changed` tries the files whose text is not the one the report measured, and fails for a survivor that the
 * report does not name, or when less than the floor is held of what it does not name; `--keep` writes what it found
 * into the report. `-- --last` prints the scores of the report, with `--json` as `{"core", "dispatch"}`.
 * `-- --only part [--tests part]` tries some files with some tests, and writes with `--keep` too. `--fresh` forgets
 * what earlier runs here killed, and `--minutes` bounds any of them (240).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { fileOf, keepKills, knownKills } from './kills.ts'
import type { Mutant } from './mutants.ts'
import { folders, hashOf, plan, root, sourcesOf, testFiles, workplace, writeCopies, type Folder } from './plan.ts'
import {
  ended,
  heldOf,
  merged,
  newSurvivors,
  reportOf,
  scoreOf,
  scoresOf,
  sentenceOf,
  survivorsTold,
  unmeasured,
  type Report,
} from './report.ts'
import { tryAll, type Tried } from './rounds.ts'

const reportPath = join(root, 'tools/mutation/report.json')
const names = Object.keys(folders) as Folder[]

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const textOf = (file: string): string => hashOf(join(root, file))
const isAsked = (file: string): boolean => values.tests?.some((part) => file.includes(part)) ?? true

function lastReport(): Report {
  // Written by a run, read by nobody else.
  return existsSync(reportPath) ? (JSON.parse(readFileSync(reportPath, 'utf8')) as Report) : { core: {}, dispatch: {} }
}

type Files = Readonly<Record<Folder, readonly string[]>>
type Found = Pick<Tried, 'verdicts' | 'killers'>
type Search = { readonly all: readonly Mutant[]; readonly until: number; readonly found: Found }

/** Tries `files`; in haste, with the tests that killed in them before, and with the others what would be new. */
async function run(files: Files, minutes: number, isHasty = false): Promise<Report> {
  const until = Date.now() + minutes * 60_000
  const core = plan('core', files.core, 1)
  const dispatch = plan('dispatch', files.dispatch, 1_000_000)
  const all = [...core, ...dispatch]
  say(`${String(all.length)} mutants compile`)
  writeCopies(all)
  const before = values.fresh === true ? new Map<number, string>() : knownKills(all)
  if (before.size > 0) say(`${String(before.size)} were killed by an earlier run over the same text`)
  const told = ({ verdicts, killers }: Found): Report => {
    const paths = new Map([...killers].map(([id, test]) => [id, relative(root, fileOf(test))]))
    const found = { verdicts, killers: paths }
    return {
      core: reportOf(files.core, core, found, textOf),
      dispatch: reportOf(files.dispatch, dispatch, found, textOf),
    }
  }
  const none: Found = { verdicts: new Map([...before.keys()].map((id) => [id, 'killed'])), killers: before }
  const tests = testFiles().filter(isAsked)
  const close = isHasty ? tests.filter((test) => killedIn(files).has(test)) : []
  const first = await search(close, { all, until, found: none })
  if (isHasty && names.every((name) => newSurvivors(told(first)[name], lastReport()[name]).length === 0))
    return told(first)
  const rest = tests.filter((test) => !close.includes(test))
  return told(await search(rest, { all, until, found: first }))
}

/** The files of tests that killed in `files`, as the report has it. */
function killedIn(files: Files): ReadonlySet<string> {
  const last = lastReport()
  return new Set(names.flatMap((name) => files[name].flatMap((file) => last[name][file]?.tests ?? [])))
}

async function search(files: readonly string[], { all, until, found }: Search): Promise<Found> {
  const mutants = all.filter(({ id }) => found.verdicts.get(id) !== 'killed')
  if (files.length === 0 || mutants.length === 0) return found
  const now = await tryAll({ all, mutants, files, until, say })
  keepKills(all, now.killers)
  for (const test of now.unusable) say(`cannot be repeated: ${test}`)
  const verdicts = new Map(found.verdicts)
  for (const [id, verdict] of now.verdicts) if (verdict !== 'unmet' || !verdicts.has(id)) verdicts.set(id, verdict)
  return { verdicts, killers: new Map([...found.killers, ...now.killers]) }
}

function keep(now: Report): void {
  const last = lastReport()
  const both = (name: Folder): Report[Folder] => merged(last[name], now[name], sourcesOf(name))
  writeFileSync(reportPath, `${JSON.stringify({ core: both('core'), dispatch: both('dispatch') }, null, 1)}\n`)
}

async function whole(minutes: number): Promise<boolean> {
  keep(await run({ core: sourcesOf('core'), dispatch: sourcesOf('dispatch') }, minutes))
  const report = lastReport()
  for (const name of names) say([...survivorsTold(report[name]), sentenceOf(name, report[name])].join('\n'))
  return names.every((name) => scoreOf(report[name]).percent >= folders[name].floor)
}

/** Of files whose paths contain one of the parts, to work on. */
async function some(parts: readonly string[], minutes: number): Promise<void> {
  const own = (folder: Folder): readonly string[] =>
    sourcesOf(folder).filter((file) => parts.some((part) => file.includes(part)))
  const report = await run({ core: own('core'), dispatch: own('dispatch') }, minutes)
  for (const name of names) say([...survivorsTold(report[name]), sentenceOf(name, report[name])].join('\n'))
  if (values.keep === true) keep(report)
}

function lastTold(isJson: boolean): string {
  const last = lastReport()
  if (isJson) return JSON.stringify(scoresOf(last))
  const lines = names.map((name) => sentenceOf(name, last[name]))
  const left = names.flatMap((name) => unmeasured(sourcesOf(name), last[name], textOf))
  return [...lines, ...left.map((file) => `not measured as it is now: ${file}`)].join('\n')
}

async function changed(minutes: number): Promise<boolean> {
  const last = lastReport()
  const own = (folder: Folder): readonly string[] => unmeasured(sourcesOf(folder), last[folder], textOf)
  const now = await run({ core: own('core'), dispatch: own('dispatch') }, minutes, true)
  const added = names.flatMap((name) => newSurvivors(now[name], last[name]))
  for (const { file, line, was, now: other } of added) say(`new: ${file}:${String(line)} ${was} → ${other}`)
  for (const name of names) say(sentenceOf(`${name}, what changed`, now[name]))
  for (const name of names) say(sentenceOf(name, merged(last[name], now[name], sourcesOf(name))))
  // What was cut is tried again next time.
  if (values.keep === true) keep({ core: ended(now.core), dispatch: ended(now.dispatch) })
  return added.length === 0 && names.every((name) => heldOf(now[name], last[name]) >= folders[name].floor)
}

const { values } = parseArgs({
  options: {
    last: { type: 'boolean' },
    json: { type: 'boolean' },
    changed: { type: 'boolean' },
    keep: { type: 'boolean' },
    fresh: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '240' },
  },
})
process.on('exit', () => {
  rmSync(workplace, { recursive: true, force: true })
})
const { only } = values
const minutes = Number(values.minutes)
if (values.last === true) say(lastTold(values.json === true))
else if (only !== undefined) await some(only, minutes)
else process.exitCode = (await (values.changed === true ? changed(minutes) : whole(minutes))) ? 0 : 1
