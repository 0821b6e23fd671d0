import type { Mutant } from './mutant.ts'

/** Written when the product has taken its shape. */
export const mutants: readonly Mutant[] = []
