import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Mutant } from './mutants.ts'
import { keepKills, keepPasses, knownPasses } from './kills.ts'
import { keepLooks, keptLooks } from './looks.ts'
import { root, workplace } from './plan.ts'
import type { Bed, Line, Round } from './round.ts'

type Look = Exclude<Line, { is: 'passed' | 'killed' }>
type Looked = Extract<Line, { is: 'looked' }>
/** What is known of a mutant at the end. `unmet`: no test gets there. `open`: the time was over. */
export type Verdict = 'killed' | 'survived' | 'unmet' | 'open'
export type Tried = {
  readonly verdicts: ReadonlyMap<number, Verdict>
  readonly killers: ReadonlyMap<number, string>
  /** Tests that cannot be repeated, and so try nothing. */
  readonly unusable: readonly string[]
}
type Meets = ReadonlyMap<number, readonly Looked[]>
/** `all` the mutants there are, and those of them that are tried; the files of the tests; the end, in ms since 1970. */
export type Trial = {
  readonly all: readonly Mutant[]
  readonly mutants: readonly Mutant[]
  readonly files: readonly string[]
  readonly until: number
  readonly bed: Bed
  /** Whether what runs once, when a module loads, is tried too: each costs a load of its own, so that comes last. */
  readonly triesLoads: boolean
  readonly say: (line: string) => void
}

/** Which of the tests that meet a mutant try it, round after round: quick ones first. */
type Choice = { readonly most: number; readonly slowestMs: number }
const choices: readonly Choice[] = [
  { most: 6, slowestMs: 150 },
  { most: 12, slowestMs: 1_000 },
  { most: 200, slowestMs: 8_000 },
]
const lookedAtOnce = 12
const widest: Choice = { most: 200, slowestMs: 8_000 }
/** What the tests that try one mutant may take together. */
const budgetMs = 15_000
/** How often a round is begun again because a change left something behind; the time ends it sooner. */
const attempts = 100

const journal = join(workplace, 'journal')
const trying = join(workplace, 'trying')
/** Longer than any test waits for a mutant, or for a database. */
const stuckMs = 60_000
/** Longer than a file of tests takes to load on a machine that has other things to do. */
const loadMs = 300_000

/**
 * Tries `mutants`, of all that there are, until the time is over. The choice of tests depends on what they meet and on
 * how
 * long they take.
 */
export async function tryAll(trial: Trial): Promise<Tried> {
  const { mutants, until, bed, say } = trial
  mkdirSync(workplace, { recursive: true })
  writeFileSync(
    journal,
    knownPasses(mutants, bed)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  const lines = await look(trial)
  const looked = lines.filter((line) => line.is === 'looked')
  const red = new Set(looked.filter(({ isGreen }) => !isGreen).map(({ test }) => test))
  const usable = looked.filter(({ test, ms }) => !red.has(test) && ms <= widest.slowestMs)
  say(`${String(usable.length)} tests try, ${String(red.size)} cannot be repeated`)
  const meets = meetings(usable)
  for (const choice of choices) {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const tests = pending(mutants, meets, choice)
      if (Object.keys(tests).length === 0 || Date.now() > until) break
      const touched = new Set(Object.keys(tests).map((test) => test.slice(0, test.indexOf(' > '))))
      const before = readJournal().length
      await runRound({ does: 'kill', tests, statics: {} }, byDuration(usable, touched), { until, bed })
      keepKills(mutants, killersIn(readJournal()))
      keepPasses(mutants, readJournal(), bed)
      say(
        `tests of at most ${String(choice.slowestMs)} ms: ` +
          `${String(killedIn(readJournal()).size)} of ${String(mutants.length)} killed`,
      )
      if (readJournal().length === before) break
    }
  }
  if (trial.triesLoads) await tryStatics({ all: trial.all, mutants, meets, usable, lines, until, bed })
  return judged(trial, meets, lines, [...red])
}

/** Which test meets which mutants: known already, or found out. */
async function look({ all, files, until, bed, say }: Trial): Promise<readonly Line[]> {
  const kept = keptLooks(all, files, bed)
  const known = new Set(kept.flatMap((line) => (line.is === 'ended' ? [line.file] : [])))
  const left = files.filter((file) => !known.has(join(root, file)))
  const found = (): readonly Look[] => readJournal().filter((line) => line.is !== 'passed' && line.is !== 'killed')
  // A few at a time, so that a run that is cut has what it found.
  for (let at = 0; at < left.length && Date.now() < until; at += lookedAtOnce) {
    await runRound({ does: 'look', tests: {}, statics: {} }, left.slice(at, at + lookedAtOnce), { until, bed })
    keepLooks(all, found(), bed)
    say(`${String(Math.min(at + lookedAtOnce, left.length))} of ${String(left.length)} files looked at`)
  }
  return [...kept, ...found()]
}

function meetings(usable: readonly Looked[]): Meets {
  const meets = new Map<number, Looked[]>()
  for (const test of usable) for (const mutant of test.saw) meets.set(mutant, [...(meets.get(mutant) ?? []), test])
  // The narrow and the fast come first: they tell more about less.
  for (const tests of meets.values()) tests.sort(byPrice)
  return meets
}

const priceOf = ({ ms, saw }: Looked): number => ms + saw.length
const byPrice = (a: Looked, b: Looked): number => priceOf(a) - priceOf(b) || a.test.localeCompare(b.test)

/** The first tests that meet a mutant, as many as fit. */
function chosen(tests: readonly Looked[] | undefined, { most, slowestMs }: Choice): readonly Looked[] {
  let spent = 0
  return (tests ?? [])
    .filter(({ ms }) => ms <= slowestMs)
    .slice(0, most)
    .filter(({ ms }) => (spent += ms) <= budgetMs)
}

function pending(mutants: readonly Mutant[], meets: Meets, choice: Choice): Record<string, number[]> {
  const lines = readJournal()
  const killed = killedIn(lines)
  const passed = new Set(lines.flatMap((line) => (line.is === 'passed' ? [`${String(line.mutant)} ${line.test}`] : [])))
  const tests: Record<string, number[]> = {}
  for (const { id } of mutants) {
    if (killed.has(id)) continue
    for (const { test } of chosen(meets.get(id), choice)) {
      if (!passed.has(`${String(id)} ${test}`)) (tests[test] ??= []).push(id)
    }
  }
  return tests
}

function byDuration(usable: readonly Looked[], touched: ReadonlySet<string>): readonly string[] {
  const took = new Map<string, number>()
  for (const { file, ms } of usable) if (touched.has(file)) took.set(file, (took.get(file) ?? 0) + ms)
  return [...took].toSorted(([a, x], [b, y]) => x - y || a.localeCompare(b)).map(([file]) => relative(root, file))
}

/**
 * What runs once, when a module loads, is tried by a file of its own: it loads the tests afresh with the mutant
 * switched on.
 */
async function tryStatics({ all, mutants, meets, usable, lines, ...when }: Statics): Promise<void> {
  const atLoad = staticsOf(lines)
  const folder = join(workplace, 'statics')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const statics: Record<number, readonly string[]> = {}
  for (const mutant of mutants) {
    if (meets.has(mutant.id) || !atLoad.has(mutant.id)) continue
    const loading = usable.filter(({ file }) => atLoad.get(mutant.id)?.has(file))
    const tests = testsOfFile(mutant, meets, loading, all)
    if (tests.length === 0) continue
    statics[mutant.id] = tests.map(({ name }) => name)
    const imports = [...new Set(tests.map(({ file }) => file))].map((file) => `import '${file}'\n`)
    writeFileSync(join(folder, `static-${String(mutant.id)}.test.ts`), imports.join(''))
  }
  const files = Object.keys(statics).map((id) => relative(root, join(folder, `static-${id}.test.ts`)))
  if (files.length > 0 && Date.now() < when.until) await runRound({ does: 'kill', tests: {}, statics }, files, when)
}

type Statics = Pick<Trial, 'all' | 'mutants' | 'until' | 'bed'> & {
  readonly meets: Meets
  readonly usable: readonly Looked[]
  readonly lines: readonly Line[]
}
type Tests = readonly Looked[]

/**
 * The tests that load the mutant's file and lie in one file with those that reach into it, for a table is read without
 * reaching into anything; or, when nothing reaches into it, all that load it.
 */
function testsOfFile(mutant: Mutant, meets: Meets, loading: Tests, all: readonly Mutant[]): Tests {
  const own = all.filter(({ file }) => file === mutant.file)
  const reaching = new Set(own.flatMap(({ id }) => (meets.get(id) ?? []).map(({ file }) => file)))
  const tests = reaching.size > 0 ? loading.filter(({ file }) => reaching.has(file)) : loading
  return chosen(tests.toSorted(byPrice), widest)
}

function staticsOf(lines: readonly Line[]): ReadonlyMap<number, ReadonlySet<string>> {
  const statics = new Map<number, Set<string>>()
  for (const line of lines) {
    if (line.is !== 'loaded') continue
    for (const id of line.saw) statics.set(id, (statics.get(id) ?? new Set()).add(line.file))
  }
  return statics
}

function judged({ mutants, files }: Trial, meets: Meets, look: readonly Line[], unusable: readonly string[]): Tried {
  const looked = new Set(look.flatMap((line) => (line.is === 'ended' ? [line.file] : [])))
  // Whether a test meets a mutant is known once all were looked at.
  const isUnmet = files.every((file) => looked.has(join(root, file))) ? 'unmet' : 'open'
  const lines = readJournal()
  const killers = killersIn(lines)
  const open = new Set(Object.values(pending(mutants, meets, widest)).flat())
  const atLoad = staticsOf(look)
  const ended = new Set(lines.flatMap((line) => (line.is === 'passed' ? [line.mutant] : [])))
  const verdicts = new Map(
    mutants.map(({ id }): [number, Verdict] => {
      if (killers.has(id)) return [id, 'killed']
      if (open.has(id)) return [id, 'open']
      if (meets.has(id)) return [id, 'survived']
      // What is met at load alone has survived once its own file ran to its end.
      return [id, !atLoad.has(id) ? isUnmet : ended.has(id) ? 'survived' : 'open']
    }),
  )
  return { verdicts, killers, unusable }
}

function killersIn(lines: readonly Line[]): ReadonlyMap<number, string> {
  return new Map(lines.flatMap((line) => (line.is === 'killed' ? [[line.mutant, line.test] as const] : [])))
}

function killedIn(lines: readonly Line[]): ReadonlySet<number> {
  return new Set(lines.flatMap((line) => (line.is === 'killed' ? [line.mutant] : [])))
}

function readJournal(): readonly Line[] {
  const whole = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
  return whole.map((line) => JSON.parse(line) as Line)
}

/**
 * A change that loops without asking anything holds its whole thread: it is killed from outside, and counts as killed.
 */
function isStuck(begun: number, until: number): boolean {
  const last = Math.max(
    begun,
    ...[journal, trying].filter((path) => existsSync(path)).map((path) => statSync(path).mtimeMs),
  )
  const tried = existsSync(trying) ? readFileSync(trying, 'utf8') : ''
  if (Date.now() < last + (tried === '' ? loadMs : stuckMs) && Date.now() < until + stuckMs) return false
  // What the end of the time cut short was not stuck.
  if (tried !== '' && Date.now() >= last + stuckMs) appendFileSync(journal, `${tried}\n`)
  return true
}

type Task = Omit<Round, 'journal' | 'trying' | 'until'>

/** One run of vitest over these files. A red test is what it is for, so its exit code tells nothing. */
async function runRound(
  round: Task,
  files: readonly string[],
  { until, bed }: Pick<Trial, 'until' | 'bed'>,
): Promise<void> {
  const path = join(workplace, 'round.json')
  rmSync(trying, { force: true })
  writeFileSync(path, JSON.stringify({ ...round, journal, trying, until }))
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const vitest = join(root, 'node_modules/.bin/vitest')
  // Files share what they load while mutants are tried. What a load meets is seen in a file of its own alone.
  const shares = round.does === 'kill' && Object.keys(round.statics).length === 0
  const options = ['--config', 'tools/mutation/vitest.config.ts', ...(shares ? ['--no-isolate'] : [])]
  const child = spawn(process.execPath, [vitest, 'run', ...options, ...files], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ERGON_MUTATION_ROUND: path, ERGON_MUTATION_BED: bed },
  })
  child.on('close', () => {
    resolve(undefined)
  })
  const begun = Date.now()
  const watch = setInterval(() => {
    if (isStuck(begun, until)) child.kill('SIGKILL')
  }, 5_000)
  await promise
  clearInterval(watch)
}
