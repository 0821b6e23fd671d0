/** How a submission was decided, or that nobody did. */
export type DecisionKind = 'approved' | 'rejected' | 'changes' | 'silent'

/** Running totals of what a publisher did with what was handed in; `hours` counts by {@link decisionHours}. */
export type Decisions = {
  readonly decided: number
  readonly rejected: number
  readonly silent: number
  readonly hours: readonly number[]
}

/** Upper ends of the buckets in which the time to decide is counted; what took longer is in one of its own. */
export const decisionHours = [1, 2, 4, 8, 16, 24, 48, 72, 120, 168, 336] as const

export const noDecisions: Decisions = {
  decided: 0,
  rejected: 0,
  silent: 0,
  hours: Array.from({ length: decisionHours.length + 1 }, () => 0),
}

/** The bucket of a time to decide. */
export function bucketOf(ms: number): number {
  const index = decisionHours.findIndex((hours) => ms <= hours * 3_600_000)
  return index === -1 ? decisionHours.length : index
}

/** What workers read of it; shares of all that was handed in and is decided or lapsed, null where nothing was. */
export type PublisherHistory = {
  readonly handedIn: number
  /** At most so many hours in the median; null where nobody decided, or it takes longer than is counted. */
  readonly medianHours: number | null
  readonly rejectedShare: number | null
  readonly silentShare: number | null
}

export function historyOf({ decided, rejected, silent, hours }: Decisions): PublisherHistory {
  const handedIn = decided + silent
  const share = (part: number): number | null => (handedIn === 0 ? null : part / handedIn)
  return { handedIn, medianHours: medianOf(decided, hours), rejectedShare: share(rejected), silentShare: share(silent) }
}

function medianOf(decided: number, hours: readonly number[]): number | null {
  let seen = 0
  for (const [index, count] of hours.entries()) {
    seen += count
    if (count > 0 && seen * 2 >= decided) return decisionHours[index] ?? null
  }
  return null
}
