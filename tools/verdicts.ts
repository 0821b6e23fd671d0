/** A reporter of vitest that writes down what each file came to when it ends, and says at once why a test failed. */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is not green, and why. */
export type Fault = { readonly name: string; readonly reason: string }

/** What a suite of others said, in the words of the test that ran it: `Object.assign(task.meta, { told })`. */
export type Told = { readonly said: string; readonly notGreen: readonly Fault[] }

export type FileVerdict = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** From its first import to the end of its last hook. */
  readonly ms: number
  readonly faults: readonly Fault[]
  readonly left: readonly string[]
  readonly told: readonly Told[]
}

/** How many files a run has before it, and which. */
export type Begun = { readonly files: number; readonly named?: readonly string[] }

/** Errors that no test can answer for, and the files that ran when they came; an error may name none. */
export type Outside = { readonly outside: number; readonly beside: readonly string[] }

export class Verdicts implements Reporter {
  readonly #path: string

  /** `path` is the file to write to, one line of JSON for each test file; without one nothing is written. */
  constructor(path: string | undefined) {
    this.#path = path ?? ''
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ files: specifications.length, named: specifications.map(({ moduleId }) => relative(root, moduleId)) })
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      // What a test put there, in this form or not at all.
      told: (test.meta() as { readonly told?: Told }).told,
      ...test.result(),
    }))
    const failed = tests.filter(({ state }) => state === 'failed')
    const passed = tests.filter(({ state }) => state === 'passed')
    // A file that failed without a failed test never got as far as its tests.
    const isBroken = !module.ok() && failed.length === 0
    for (const { name, errors } of failed) say(`${module.relativeModuleId} > ${name}`, errors)
    if (isBroken) say(module.relativeModuleId, module.errors())
    const faults = failed.map(({ name, errors }) => ({ name, reason: firstLine(errors) }))
    this.#write({
      file: module.relativeModuleId,
      passed: passed.length,
      failed: failed.length + (isBroken ? 1 : 0),
      skipped: tests.length - passed.length - failed.length,
      ms: Math.round(tookMs(module)),
      faults: isBroken ? [{ name: 'the file itself', reason: firstLine(module.errors()) }] : faults,
      left: tests.filter((one) => !failed.includes(one) && !passed.includes(one)).map(({ name }) => name),
      told: tests.flatMap(({ told }) => (told === undefined ? [] : [told])),
    })
  }

  /** What no test can answer for: vitest exits red, and every test may be green. */
  onTestRunEnd(modules: readonly TestModule[], errors: Errors): void {
    for (const error of errors ?? []) {
      const file = modules.find(({ moduleId }) => moduleId === error['VITEST_TEST_PATH'])?.relativeModuleId
      say(`an error outside any test${file === undefined ? '' : ` of ${file}`}: ${placeOf(error)}`, [error])
      this.#write({ outside: 1, beside: file === undefined ? [] : [file] })
    }
  }

  #write(line: Begun | Outside | FileVerdict): void {
    if (this.#path !== '') appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}

function tookMs(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic()
  return collectDuration + duration
}

type Failure = { readonly message: string; readonly stack?: string | undefined; readonly VITEST_TEST_PATH?: unknown }
type Errors = readonly Failure[] | undefined

/** The line of code that threw, so that a report cut to first lines still says where. */
function placeOf({ stack = '' }: Failure): string {
  const [first = 'no stack'] = stack.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return first.trim()
}

function firstLine(errors: Errors): string {
  return errors?.[0]?.message.split('\n')[0] ?? ''
}

function say(what: string, errors: Errors): void {
  process.stdout.write(
    `\nfailed: ${what}\n${(errors ?? []).map(({ message, stack }) => stack ?? message).join('\n')}\n`,
  )
}
