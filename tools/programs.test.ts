import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** @returns the exit code, and what it said on standard error while nobody took its standard output */
async function unread(file: string, words: readonly string[]): Promise<readonly [unknown, string]> {
  const child = spawn(process.execPath, [root + file, ...words], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  const [said, [code]] = await Promise.all([child.stderr?.setEncoding('utf8').toArray() ?? [], once(child, 'exit')])
  return [code, said.join('')]
}

test.runIf(existsSync('/dev/full'))('output that nobody takes leaves the exit code as it is', async () => {
  const [code, said] = await unread('simulation/src/main.ts', ['--seed', '500'])
  expect(said).not.toMatch(/ENOSPC|Unhandled/)
  expect(code).toBe(0)
})

test('a word that the simulation does not know is refused in a sentence', async () => {
  const child = spawn(process.execPath, [`${root}simulation/src/main.ts`, '--sed', '1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'exit')])
  expect(said.join('')).toMatch(/^simulate: unknown option --sed\n/)
  expect(said.join('')).not.toMatch(/ at /)
  expect(code).toBe(1)
})
