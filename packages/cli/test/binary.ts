import { inheritedEnv } from '@ergon/dev-env/testing'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const binary = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const patienceMs = 150_000

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }
export type Given = { readonly env?: Readonly<Record<string, string>>; readonly input?: string }

/** The object that --json prints last. */
export type Said<T> = {
  readonly ok: boolean
  readonly command: string
  readonly data: T
  readonly error: { readonly code: string; readonly message: string; readonly recovery: string }
  readonly exit_code: number
}

/** A folder of profiles of its own, and the program as a shell starts it. */
export type Terminal = Disposable & {
  readonly home: string
  /** The environment the program is started in. */
  readonly env: Readonly<Record<string, string>>
  run(line: readonly string[], given?: Given): Promise<Ran>
  /** Runs with --json and answers the last object. */
  json<T = Record<string, unknown>>(
    line: readonly string[],
    given?: Given,
  ): Promise<Said<T> & { readonly code: number | null }>
}

export function openTerminal(env: Readonly<Record<string, string>> = {}): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'ergon-cli-'))
  const full = {
    ...inheritedEnv(),
    HOME: home,
    ERGON_HOME: join(home, 'ergon'),
    ERGON_PASSPHRASE: 'correct horse battery',
    ...env,
  }
  const run = async (line: readonly string[], given: Given = {}): Promise<Ran> => {
    const child = spawn(process.execPath, [binary, ...line], {
      cwd: home,
      env: { ...full, ...given.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: patienceMs,
    })
    // A program that ends before it has read its input breaks the pipe.
    child.stdin.on('error', () => undefined).end(given.input ?? '')
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { code, out, err }
  }
  return {
    home,
    env: full,
    run,
    async json<T>(line: readonly string[], given?: Given) {
      const { code, out, err } = await run([...line, '--json'], given)
      const last = out.trimEnd().split('\n').at(-1) ?? ''
      if (!last.startsWith('{')) throw new Error(`no object from ergon ${line.join(' ')}: ${out}${err}`)
      // The tests that ask know what the command answers.
      return { code, ...(JSON.parse(last) as Said<T>) }
    },
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true })
    },
  }
}
