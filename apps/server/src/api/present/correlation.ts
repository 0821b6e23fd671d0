import type { Operations, OutputOf } from '@ergon/contract'
import type { Correlation } from '@ergon/core'

type WireCorrelation = OutputOf<Operations['tasks.applications']>['applications'][number]['counterparty_correlation']

export function presentCorrelation(correlation: Correlation | undefined): WireCorrelation {
  if (correlation === undefined) return null
  const { tasksTogether, totalCompleted, distinctPublishers, concentration, flagged } = correlation
  return {
    tasks_with_this_publisher: tasksTogether,
    total_completed: totalCompleted,
    distinct_publishers: distinctPublishers,
    concentration,
    flagged,
  }
}
