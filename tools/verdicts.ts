/** A reporter of vitest that writes down what each file came to when it ends, and says at once why a test failed. */
import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

export type FileVerdict = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** From its first import to the end of its last hook. */
  readonly ms: number
}

export class Verdicts implements Reporter {
  readonly #path: string

  /** `path` is the file to write to, one line of JSON for each test file; without one nothing is written. */
  constructor(path: string | undefined) {
    this.#path = path ?? ''
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ files: specifications.length })
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()].map((test) => ({ name: test.fullName, ...test.result() }))
    const failed = tests.filter(({ state }) => state === 'failed')
    const count = (state: string): number => tests.filter((test) => test.state === state).length
    // A file that failed without a failed test never got as far as its tests.
    const isBroken = !module.ok() && failed.length === 0
    for (const { name, errors } of failed) say(`${module.relativeModuleId} > ${name}`, errors)
    if (isBroken) say(module.relativeModuleId, module.errors())
    this.#write({
      file: module.relativeModuleId,
      passed: count('passed'),
      failed: failed.length + (isBroken ? 1 : 0),
      skipped: tests.length - count('passed') - failed.length,
      ms: Math.round(tookMs(module)),
    })
  }

  #write(line: { readonly files: number } | FileVerdict): void {
    if (this.#path !== '') appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}

function tookMs(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic()
  return collectDuration + duration
}

function say(
  what: string,
  errors: readonly { readonly message: string; readonly stack?: string | undefined }[] | undefined,
): void {
  process.stdout.write(
    `\nfailed: ${what}\n${(errors ?? []).map(({ message, stack }) => stack ?? message).join('\n')}\n`,
  )
}
