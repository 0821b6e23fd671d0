import type { Replacement } from '../machine/replace-sources.ts'

/** A bug that is planted on purpose: the machine must find it, or it is no machine. */
export type Mutant = {
  readonly name: string
  /** What is wrong with it, in a sentence for the reference. */
  readonly what: string
  readonly replacements: readonly [Replacement, ...Replacement[]]
}

export type Hunt = {
  readonly mutant: string
  readonly what: string
  /** Seeds until the first failure; null when none failed. */
  readonly seeds: number | null
  readonly violation: string | null
}
export type MutantReport = { readonly most: number; readonly hunts: readonly Hunt[] }
