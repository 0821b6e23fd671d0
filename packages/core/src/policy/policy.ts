import { policyLimits as limits } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'

/** What silence does once the review time is over; `release` where the required checks passed, else it is a dispute. */
export type OnSilence = 'release' | 'dispute'

/** What a publisher and its worker can rely on, fixed before anybody applies (decision 0157). */
export type TaskPolicy = {
  readonly reviewHours: number
  readonly disputeHours: number
  readonly onSilence: OnSilence
  /** How often changes may be asked for. */
  readonly revisionsMost: number
  /** How many may wait at once; null is no limit. */
  readonly applicationsMost: number | null
  /** In which the assigned worker has to begin, else the next who waits is offered the task; null is any time. */
  readonly startHours: number | null
  /** The only one who may rule on a dispute, of the operator's list; absent or null: any of the list. */
  readonly arbiter?: string | null
  /** Whether a rejection has to cite a criterion. */
  readonly criteriaRequired?: boolean
}

/** What is left out has its default. */
export type PolicyInput = Partial<TaskPolicy>

export const hourMs = 3_600_000
/** Before an authorization ends, nothing new is begun under it. */
export const marginMs = 12 * hourMs
/** After the last dispute could have ended, the money is held for this long still. */
const reserveHours = 24

/** @throws VALIDATION_FAILED for a policy that no authorization is asked to outlive */
export function readPolicy(input: PolicyInput): TaskPolicy {
  const policy: TaskPolicy = {
    reviewHours: input.reviewHours ?? limits.reviewHoursDefault,
    disputeHours: input.disputeHours ?? limits.disputeHoursDefault,
    onSilence: input.onSilence ?? 'release',
    revisionsMost: input.revisionsMost ?? limits.revisionsDefault,
    applicationsMost: input.applicationsMost ?? null,
    startHours: input.startHours ?? null,
    ...(input.arbiter === undefined || input.arbiter === null ? {} : { arbiter: input.arbiter }),
    ...(input.criteriaRequired === true ? { criteriaRequired: true } : {}),
  }
  const bound = boundHours(policy)
  if (bound > limits.boundHoursMax)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'review_hours',
      constraint:
        `the review, two more for each revision, the dispute and ${String(reserveHours)} h are ` +
        `at most ${String(limits.boundHoursMax)} h together`,
      received: String(bound),
    })
  return policy
}

/** For how long after the deadline the money is bound: each revision is a time to work and another to look at it. */
export function boundHours({ reviewHours, disputeHours, revisionsMost }: TaskPolicy): number {
  return reviewHours * (1 + 2 * revisionsMost) + disputeHours + reserveHours
}

/** For how long after the deadline locked money has to last: without a policy nothing follows but its return. */
export function heldHours({ policy }: Pick<Governed, 'policy'>): number {
  return policy === null ? reserveHours : boundHours(policy)
}

/** Until when an authorization has to last; null without a policy. */
export function boundUntil({ policy, deadline }: Governed): Date | null {
  return policy === null ? null : new Date(deadline.getTime() + boundHours(policy) * hourMs)
}

/**
 * Until when the challenge asks the money to last: beside what has to be, room to put the deadline off (decision 0237),
 * as far as the longest policy binds it.
 */
export function askedUntil({
  deadline,
  boundUntil: until,
}: {
  readonly deadline: Date
  readonly boundUntil: Date
}): Date {
  const longest = deadline.getTime() + limits.boundHoursMax * hourMs
  return new Date(Math.max(until.getTime(), Math.min(until.getTime() + limits.roomHours * hourMs, longest)))
}

/** After how many hours of silence the worker may be paid; null where silence pays nobody. */
export function silentAfter({ policy }: Governed): number | null {
  return policy?.onSilence === 'release' ? policy.reviewHours : null
}

export type Governed = { readonly policy: TaskPolicy | null; readonly deadline: Date }

/** When what begins now and takes so many hours ends: never past the margin of what holds the money. */
export function endOf(now: Date, hours: number, authorizationExpiry: number | null): Date {
  const wanted = now.getTime() + hours * hourMs
  const latest = authorizationExpiry === null ? wanted : authorizationExpiry * 1_000 - marginMs
  return new Date(Math.max(now.getTime(), Math.min(wanted, latest)))
}

/** Where a deadline moves when something begins now that takes so many hours: never back; null where it stays. */
export function movedDeadline(
  deadline: Date,
  now: Date,
  hours: number,
  authorizationExpiry: number | null,
): Date | null {
  const end = endOf(now, hours, authorizationExpiry)
  return end > deadline ? end : null
}
