import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { TestRunner, type RunnerTestCase, type RunnerTestFile } from 'vitest'
import type { Line, Round } from './round.ts'

declare global {
  /** Asked by every mutant of an instrumented file: is it you? */
  var $m: (id: number) => boolean
}

// The round is written by ours, a moment before.
const round = JSON.parse(readFileSync(process.env['ERGON_MUTATION_ROUND'] ?? '', 'utf8')) as Round
const killed = new Set(readJournal().flatMap((line) => (line.is === 'killed' ? [line.mutant] : [])))

/** A change that makes a loop endless asks more often than all mutants together do where none is switched on. */
const leastAsked = 50_000
let usuallyAsked = 0
let active = 0
let asked = 0
const seen = new Set<number>()
globalThis.$m = (id) => {
  asked += 1
  if (id !== active) {
    seen.add(id)
    return false
  }
  if (asked > leastAsked + 10 * usuallyAsked) throw new Error('this does not end')
  return true
}

function switchOn(mutant: number): void {
  active = mutant
  asked = 0
}

function readJournal(): readonly Line[] {
  return readFileSync(round.journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

function note(line: Line): void {
  appendFileSync(round.journal, `${JSON.stringify(line)}\n`)
}

type Step = { readonly mutant: number }
/** What a test takes where no mutant is switched on. */
type Usual = { readonly ms: number; readonly asks: number }

/**
 * Runs every test of a file again and again, each time with another mutant switched on. Between them it runs as it is,
 * to show
 * that the last change left nothing behind; when it did, the rest of its mutants wait for the next round, and a fresh
 * start.
 */
// eslint-disable-next-line no-restricted-syntax -- vitest takes a runner by its default export
export default class MutationRunner extends TestRunner {
  #steps: readonly Step[] = []
  #passedSinceClean: number[] = []
  #isClean = true
  #isIdle = false
  #usualMs = 0
  #startedAt = 0
  #static = 0
  /** The mutant that failed a moment ago. */
  #suspect = 0

  override async importFile(filepath: string, source: 'collect' | 'setup'): Promise<unknown> {
    this.#static = Number(/\/static-(\d+)\.test\.ts/.exec(filepath)?.[1] ?? 0)
    seen.clear()
    switchOn(this.#static)
    await super.importFile(filepath, source)
    if (this.#static === 0 && source === 'collect' && round.does === 'look')
      note({ is: 'loaded', file: filepath, saw: [...seen] })
    return undefined
  }

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    if (this.#static > 0 && files.some(({ result }) => result?.state === 'fail')) this.#kill(this.#static, 'import')
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    if (Date.now() > round.until) return
    if (this.#static > 0 && !killed.has(this.#static))
      note({ is: 'passed', mutant: this.#static, test: 'every one that loads it' })
    if (round.does === 'look') for (const { filepath } of files) note({ is: 'ended', file: filepath })
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    if (test.mode !== 'run' && test.mode !== 'queued') return
    if (!this.#mayRun(test)) {
      test.mode = 'skip'
      return
    }
    // What an earlier test was left with need not harm this one: its own first run as it is tells.
    this.#isClean = true
    this.#steps = this.#stepsOf(test)
    test.repeats = this.#steps.length - 1
  }

  #mayRun(test: RunnerTestCase): boolean {
    if (Date.now() > round.until) return false
    if (this.#static > 0) return !killed.has(this.#static) && (round.statics[this.#static] ?? []).includes(nameOf(test))
    return round.does === 'look' || this.#mutantsOf(test).length > 0
  }

  #mutantsOf(test: RunnerTestCase): readonly number[] {
    return (round.tests[keyOf(test)] ?? []).filter((mutant) => !killed.has(mutant))
  }

  #stepsOf(test: RunnerTestCase): readonly Step[] {
    if (this.#static > 0) return [{ mutant: this.#static }]
    const plain = { mutant: 0 }
    if (round.does === 'look') return [plain, plain]
    return [plain, ...this.#mutantsOf(test).flatMap((mutant) => [{ mutant }, plain])]
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options)
    const { mutant } = this.#steps[options.repeats] ?? { mutant: 0 }
    const isNeeded = options.repeats === 0 || mutant > 0 || round.does === 'look' || this.#suspect > 0
    this.#isIdle = !isNeeded || !this.#isClean || Date.now() > round.until
    if (options.repeats === 0) seen.clear()
    switchOn(this.#isIdle ? 0 : mutant)
    // Whoever watches from outside learns what a loop without an end was about.
    if (mutant > 0 && !this.#isIdle)
      writeFileSync(round.trying, JSON.stringify({ is: 'killed', mutant, test: keyOf(test) } satisfies Line))
    this.#startedAt = performance.now()
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.#isIdle) return
    const run = TestRunner.getTestFn(test)()
    if (active === 0) return run
    // What goes on after its time is not waited for; the next plain run shows whether it does harm.
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => {
        late.reject(new Error('too slow'))
      },
      3_000 + 5 * this.#usualMs,
    )
    try {
      await Promise.race([run, late.promise])
    } finally {
      clearTimeout(timer)
      Promise.resolve(run).catch(() => undefined)
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): Promise<void> {
    await super.onAfterRetryTask(test, options)
    const { mutant } = this.#steps[options.repeats] ?? { mutant: 0 }
    const isGreen = test.result?.state !== 'fail'
    const wasAsked = asked
    switchOn(0)
    if (this.#isIdle) return
    // It came back: what takes long from here on is no loop of the mutant's.
    if (mutant > 0) writeFileSync(round.trying, '')
    const ms = Math.round(performance.now() - this.#startedAt)
    if (this.#static > 0) {
      if (!isGreen) this.#kill(this.#static, nameOf(test))
    } else if (round.does === 'look') {
      if (options.repeats === 1 || !isGreen)
        note({
          is: 'looked',
          test: keyOf(test),
          name: nameOf(test),
          file: test.file.filepath,
          ms,
          isGreen,
          saw: [...seen],
        })
    } else if (mutant === 0) this.#checked(test, isGreen, { ms, asks: wasAsked })
    else this.#tried(test, mutant, isGreen)
  }

  /** A plain run: whatever failed since the last one failed for its own sake, if this one passes. */
  #checked(test: RunnerTestCase, isGreen: boolean, { ms, asks }: Usual): void {
    this.#usualMs = ms
    usuallyAsked = asks
    this.#isClean = isGreen
    if (this.#suspect > 0 && (isGreen || this.#passedSinceClean.length === 0)) this.#kill(this.#suspect, keyOf(test))
    this.#suspect = 0
    this.#passedSinceClean = []
  }

  #tried(test: RunnerTestCase, mutant: number, isGreen: boolean): void {
    if (isGreen) {
      this.#passedSinceClean.push(mutant)
      note({ is: 'passed', mutant, test: keyOf(test) })
      return
    }
    this.#suspect = mutant
  }

  #kill(mutant: number, test: string): void {
    killed.add(mutant)
    note({ is: 'killed', mutant, test })
  }
}

function nameOf(test: RunnerTestCase): string {
  const names: string[] = []
  for (
    let part: { name: string; suite?: { name: string } } | undefined = test;
    part !== undefined && part.name !== '';
    part = part.suite as typeof part
  )
    names.unshift(part.name)
  return names.join(' > ')
}

function keyOf(test: RunnerTestCase): string {
  return `${test.file.filepath} > ${nameOf(test)}`
}
