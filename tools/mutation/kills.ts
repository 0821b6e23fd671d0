import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { hashOf, keyOf, root } from './plan.ts'

type Kill = { readonly test: string; readonly hash: string }

const path = join(root, '.cache/mutation-kills.json')
/** The path of the file that a test is in. */
export const fileOf = (test: string): string => test.slice(0, test.indexOf(' > '))

/** Kills of earlier runs here that are as good as new: neither the mutated file nor the test's has changed since. */
export function knownKills(mutants: readonly Mutant[]): ReadonlyMap<number, string> {
  const kept = read()
  return new Map(
    mutants.flatMap((mutant) => {
      const kill = kept[keyOf(mutant)]
      return kill !== undefined && hashOf(fileOf(kill.test)) === kill.hash ? [[mutant.id, kill.test] as const] : []
    }),
  )
}

export function keepKills(mutants: readonly Mutant[], killers: ReadonlyMap<number, string>): void {
  const kept = read()
  for (const mutant of mutants) {
    const test = killers.get(mutant.id)
    if (test !== undefined) kept[keyOf(mutant)] = { test, hash: hashOf(fileOf(test)) }
  }
  writeFileSync(path, JSON.stringify(kept))
}

function read(): Record<string, Kill> {
  // Written above.
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Kill>) : {}
}
