/**
 * `npm run mutate`: every small change of the rules that compiles, and whether a test turns red for it.
 *
 * Without arguments all of the folders that `plan.ts` names, and the report beside this file is written anew.
 * `-- --changed` tries the files whose code is not the one the report measured, and fails for a survivor that the
 * report does not name, or when less than the floor is held of what it does not name; `--keep` writes what it found
 * into the report. `-- --last` prints the scores of the report, with `--json` as `{"core", "dispatch", …}`, and fails
 * when one is under its floor: what a file had been before it changed counts for nothing.
 * `-- --only part [--tests part]` tries some files with some tests, `--left` what the report does not know or had no
 * time for; both write with `--keep` too, as they go. `--quick` asks no test that needs PostgreSQL. `--fresh` forgets
 * what earlier runs here killed, and `--minutes` bounds any of them (240; 30 for what changed).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { fileOf, forgetAll, keepKills, knownKills } from './kills.ts'
import {
  codeHashOf,
  folders,
  plan,
  root,
  sourcesOf,
  stagesOf,
  testFiles,
  workplace,
  writeCopies,
  type Folder,
  type Stage,
} from './plan.ts'
import {
  asTheyAre,
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
import { tryAll, type Trial, type Tried, type Verdict } from './rounds.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const reportPath = join(root, 'tools/mutation/report.json')
const names = Object.keys(folders) as Folder[]
/** The numbers of mutants of two folders never meet. */
const mostInFolder = 1_000_000

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const textOf = (file: string): string => codeHashOf(join(root, file))
const isAsked = (file: string): boolean => values.tests?.some((part) => file.includes(part)) ?? true

function lastReport(): Report {
  // Written by a run, read by nobody else.
  const told = existsSync(reportPath) ? (JSON.parse(readFileSync(reportPath, 'utf8')) as Partial<Report>) : {}
  return each((name) => told[name] ?? {})
}

/** One thing of each folder. */
function each<T>(of: (name: Folder, place: number) => T): Readonly<Record<Folder, T>> {
  // The names are all of them.
  return Object.fromEntries(names.map((name, place) => [name, of(name, place)])) as Readonly<Record<Folder, T>>
}

type Files = Readonly<Record<Folder, readonly string[]>>
type Found = Pick<Tried, 'verdicts' | 'killers'>
type Search = Pick<Trial, 'all' | 'until' | 'triesLoads'> & { readonly found: Found }

/** Tries `files`; in haste, with the tests that killed in them before, and with the others what would be new. */
async function run(files: Files, minutes: number, isHasty = false): Promise<Report> {
  const until = Date.now() + minutes * 60_000
  const planned = each((name, place) => plan(name, files[name], 1 + place * mostInFolder))
  const all = Object.values(planned).flat()
  say(`${String(all.length)} mutants compile`)
  writeCopies(all)
  if (values.fresh === true) forgetAll()
  const before = knownKills(all)
  if (before.size > 0) say(`${String(before.size)} were killed by an earlier run over the same text`)
  const told = ({ verdicts, killers }: Found, isDone = true): Report => {
    const paths = new Map([...killers].map(([id, test]) => [id, relative(root, fileOf(test))]))
    // Where only some tests were asked, the others have not tried what is left.
    const isWhole = isDone && values.tests === undefined && values.quick !== true
    const asOf = (verdict: Verdict): Verdict => (isWhole || verdict === 'killed' ? verdict : 'open')
    const found = { verdicts: new Map([...verdicts].map(([id, verdict]) => [id, asOf(verdict)])), killers: paths }
    return each((name) => reportOf(files[name], planned[name], found, textOf))
  }
  const none: Found = { verdicts: new Map([...before.keys()].map((id) => [id, 'killed'])), killers: before }
  const tests = testFiles().filter(isAsked)
  const close = isHasty ? tests.filter((test) => killedIn(files).has(test)) : []
  let found = none
  for (const part of isHasty ? [close, tests] : [tests]) {
    const stages = stagesOf(part).filter(({ bed }) => values.quick !== true || bed === 'memory')
    for (const triesLoads of [false, true]) {
      for (const stage of stages) {
        found = await search(stage, { all, until, found, triesLoads })
        if (values.keep === true && !isHasty) keep(told(found, false))
      }
    }
    const isHeld = names.every((name) => newSurvivors(told(found)[name], lastReport()[name]).length === 0)
    if (isHasty && isHeld) break
  }
  return told(found)
}

/** The files of tests that killed in `files`, as the report has it. */
function killedIn(files: Files): ReadonlySet<string> {
  const last = lastReport()
  return new Set(names.flatMap((name) => files[name].flatMap((file) => last[name][file]?.tests ?? [])))
}

async function search({ files, bed, isFor }: Stage, { found, ...trial }: Search): Promise<Found> {
  const { all } = trial
  const mutants = all.filter(({ id, file }) => found.verdicts.get(id) !== 'killed' && isFor(file))
  if (files.length === 0 || mutants.length === 0) return found
  const now = await tryAll({ ...trial, mutants, files, bed, say })
  keepKills(all, now.killers)
  for (const test of now.unusable) say(`cannot be repeated: ${test}`)
  const verdicts = new Map(found.verdicts)
  for (const [id, verdict] of now.verdicts) if (verdict !== 'unmet' || !verdicts.has(id)) verdicts.set(id, verdict)
  return { verdicts, killers: new Map([...found.killers, ...now.killers]) }
}

function keep(now: Report): void {
  const last = lastReport()
  const both = each((name) => merged(last[name], now[name], sourcesOf(name)))
  writeFileSync(reportPath, `${JSON.stringify(both, null, 1)}\n`)
}

async function whole(minutes: number): Promise<boolean> {
  keep(await run(each(sourcesOf), minutes))
  const report = lastReport()
  for (const name of names) say([...survivorsTold(report[name]), sentenceOf(name, report[name])].join('\n'))
  return names.every((name) => scoreOf(report[name]).percent >= folders[name].floor)
}

/** Of files whose paths contain one of the parts, to work on; of those the ones that are left, where only they are. */
async function some(parts: readonly string[], minutes: number): Promise<void> {
  const own = (folder: Folder): readonly string[] =>
    (values.left === true ? leftOf(folder) : sourcesOf(folder)).filter((file) =>
      parts.some((part) => file.includes(part)),
    )
  const report = await run(each(own), minutes)
  for (const name of names) say([...survivorsTold(report[name]), sentenceOf(name, report[name])].join('\n'))
  if (values.keep === true) keep(report)
}

/** What the report does not know as it is, or had no time for. */
function leftOf(folder: Folder): readonly string[] {
  const last = lastReport()[folder]
  const isNew = new Set(unmeasured(sourcesOf(folder), last, textOf))
  return sourcesOf(folder).filter((file) => isNew.has(file) || (last[file]?.untried ?? 0) > 0)
}

/** Prints the scores of the report. False when one falls under its floor, or a file has no entry at all. */
function last(isJson: boolean): boolean {
  const report = lastReport()
  const told: Report = each((name) => asTheyAre(sourcesOf(name), report[name], textOf))
  const stale = names.flatMap((name) => unmeasured(sourcesOf(name), report[name], textOf))
  const isNew = names.flatMap((name) => sourcesOf(name).filter((file) => report[name][file] === undefined))
  const low = names.filter((name) => scoreOf(told[name]).percent < folders[name].floor)
  if (isJson) say(JSON.stringify(scoresOf(told)))
  else {
    for (const name of names) say(sentenceOf(name, told[name]))
    for (const file of stale) say(`not measured as it is now: ${file}`)
  }
  const complain = isJson ? console.error : say
  for (const name of low) complain(`${name} is under ${String(folders[name].floor)} %`)
  for (const file of isNew) complain(`never measured: ${file}`)
  return low.length + isNew.length === 0
}

async function changed(minutes: number): Promise<boolean> {
  const last = lastReport()
  const own = (folder: Folder): readonly string[] => unmeasured(sourcesOf(folder), last[folder], textOf)
  const now = await run(each(own), minutes, true)
  const added = names.flatMap((name) => newSurvivors(now[name], last[name]))
  for (const { file, line, was, now: other } of added) say(`new: ${file}:${String(line)} ${was} → ${other}`)
  for (const name of names) say(sentenceOf(`${name}, what changed`, now[name]))
  for (const name of names) say(sentenceOf(name, merged(last[name], now[name], sourcesOf(name))))
  // What was cut is tried again next time.
  if (values.keep === true) keep(each((name) => ended(now[name])))
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
    left: { type: 'boolean' },
    quick: { type: 'boolean' },
    tests: { type: 'string', multiple: true },
    minutes: { type: 'string' },
  },
})
process.on('exit', () => {
  rmSync(workplace, { recursive: true, force: true })
})
const only = values.only ?? (values.left === true ? [''] : undefined)
const minutes = Number(values.minutes ?? (values.changed === true ? 30 : 240))
if (values.last === true) process.exitCode = last(values.json === true) ? 0 : 1
else if (only !== undefined) await some(only, minutes)
else process.exitCode = (await (values.changed === true ? changed(minutes) : whole(minutes))) ? 0 : 1
