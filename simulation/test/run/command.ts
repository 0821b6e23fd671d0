import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export type Ended = { readonly code: number; readonly output: string; readonly lines: readonly string[] }

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

function run(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      { maxBuffer: 256 * 1024 * 1024, timeout: 240_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, output: code > 1 || code < 0 ? stdout + stderr : stdout, lines: stdout.trimEnd().split('\n') })
      },
    )
  })
}

/** Runs the command in a process of its own, for it closes the platform behind itself. */
export function simulate(...args: readonly string[]): Promise<Ended> {
  return run([main, ...args])
}

export function runScript(source: string, flags: readonly string[] = []): Promise<Ended> {
  return run([...flags, '--input-type=module', '-e', source])
}

export function runFile(path: string): Promise<Ended> {
  return run([fileURLToPath(new URL(`../../src/${path}`, import.meta.url))])
}
