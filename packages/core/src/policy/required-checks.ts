import type { Check, Submission } from '../submissions/submission.ts'

/** A model's word decides nothing here. */
const byModel = 'review'
/** What must not be left undecided; every other check must not have failed. */
const toBeDecided: ReadonlySet<string> = new Set([
  'schema',
  'proximity',
  'teleport',
  'time_window',
  'exact_duplicate',
  'near_duplicate',
])

/**
 * Whether the checks that anybody can repeat prove the work that was handed in (decision 0157): they ran, none of
 * them failed or broke off, and those that matter are decided.
 */
export function requiredChecksPassed({
  verifiedAt,
  takenDown,
  checks,
}: Pick<Submission, 'verifiedAt' | 'takenDown' | 'checks'>): boolean {
  if (verifiedAt === null || takenDown !== null) return false
  const own = checks.filter(({ name }) => name !== byModel)
  return own.length > 0 && own.every(holds)
}

function holds({ name, result }: Check): boolean {
  if (result === 'failed' || result === 'error') return false
  return result !== 'inconclusive' || !toBeDecided.has(name)
}
