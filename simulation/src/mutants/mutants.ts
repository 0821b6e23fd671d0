import type { Mutant } from './mutant.ts'
import { facilitatorMutants } from './facilitator-mutants.ts'
import { flowMutants } from './flow-mutants.ts'
import { pointMutants } from './point-mutants.ts'
import { rulingMutants } from './ruling-mutants.ts'
import { silenceMutants } from './silence-mutants.ts'

/** Every bug that is planted: the four experiments that broke the product once, then their siblings. */
export const mutants: readonly Mutant[] = [
  ...pointMutants,
  ...flowMutants,
  ...silenceMutants,
  ...rulingMutants,
  ...facilitatorMutants,
]
