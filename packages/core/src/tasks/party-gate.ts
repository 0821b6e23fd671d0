import type { Party, Target } from '@ergon/contract'

/** An executor may take a task whose target is `any` or exactly its own party (spec §1.3). */
export function mayTake(target: Target, party: Party): boolean {
  return target === 'any' || target === party
}
