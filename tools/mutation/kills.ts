import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { hashOf, keyOf, root } from './plan.ts'
import type { Bed, Line } from './round.ts'

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

type Passed = Extract<Line, { readonly is: 'passed' }>

const passesPath = (bed: Bed): string => join(root, `.cache/mutation-passes-${bed}.json`)

/** What earlier runs here found counts no more. */
export function forgetAll(): void {
  for (const file of [path, passesPath('memory'), passesPath('postgres')]) rmSync(file, { force: true })
}

/** Tests of earlier runs here that these mutants passed: a run that was cut goes on where it was. */
export function knownPasses(mutants: readonly Mutant[], bed: Bed): readonly Passed[] {
  const kept = readPasses(bed)
  return mutants.flatMap((mutant): Passed[] => {
    const own: Readonly<Record<string, string>> = kept[keyOf(mutant)] ?? {}
    return Object.entries(own).flatMap(([test, hash]): Passed[] =>
      hashOf(fileOf(test)) === hash ? [{ is: 'passed', mutant: mutant.id, test }] : [],
    )
  })
}

export function keepPasses(mutants: readonly Mutant[], lines: readonly Line[], bed: Bed): void {
  const kept = readPasses(bed)
  const passed = Map.groupBy(
    lines.filter((line) => line.is === 'passed'),
    ({ mutant }) => mutant,
  )
  for (const mutant of mutants) {
    const tests = (passed.get(mutant.id) ?? []).filter(({ test }) => test.includes(' > '))
    if (tests.length === 0) continue
    const own = Object.fromEntries(tests.map(({ test }) => [test, hashOf(fileOf(test))]))
    kept[keyOf(mutant)] = { ...kept[keyOf(mutant)], ...own }
  }
  writeFileSync(passesPath(bed), JSON.stringify(kept))
}

function readPasses(bed: Bed): Record<string, Readonly<Record<string, string>>> {
  const path = passesPath(bed)
  if (!existsSync(path)) return {}
  // Written above.
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Readonly<Record<string, string>>>
}
