import type { Passage } from './checks/check.ts'

/** Calls inside another are counted already; the admin key is unlimited (spec §8), and so is what policy leaves out. */
export function isCounted({ plan, isInner, isUnlimited, principal }: Passage): boolean {
  return !isInner && !isUnlimited && (principal !== null || plan.operation.uncounted !== 'unsigned')
}
