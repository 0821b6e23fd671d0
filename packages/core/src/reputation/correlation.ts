/** What two wallets did together, out of all that the worker did. */
export type CorrelationFacts = {
  readonly tasksTogether: number
  readonly totalCompleted: number
  readonly distinctPublishers: number
}
/**
 * How much of a worker's history stems from one publisher; advice against made-up histories, never a gate (spec §2).
 */
export type Correlation = CorrelationFacts & { readonly concentration: number; readonly flagged: boolean }

const leastHistory = 3
const highConcentration = 0.8

/** Null without a completed task: there is nothing to be correlated. */
export function correlationOf(facts: CorrelationFacts | undefined): Correlation | null {
  if (facts === undefined || facts.totalCompleted === 0) return null
  const concentration = facts.tasksTogether / facts.totalCompleted
  return {
    ...facts,
    concentration,
    flagged:
      facts.totalCompleted >= leastHistory && (concentration >= highConcentration || facts.distinctPublishers === 1),
  }
}
