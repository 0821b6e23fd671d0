/** What an endpoint answered; null when no complete answer came in time. */
export type EndpointAnswer = {
  readonly status: number
  /** What Retry-After asks for. */
  readonly retryAfterMs: number | null
}

/** What becomes of a delivery after an attempt. */
export type DeliveryStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'pending'; readonly dueAt: Date }
  | { readonly status: 'failed' }

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * How long after the failure before it each attempt is made; the first is made at once, and after the last comes no
 * other.
 */
export type Schedule = readonly number[]

/** Of a webhook (decision 0069). */
export const webhookSchedule: Schedule = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Of the updates of one task: nothing depends on them, for whoever missed them can read the task. */
export const pushSchedule: Schedule = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  hour,
  2 * hour,
  5 * hour,
  10 * hour,
]
/** What its owner asked for is sent once. */
export const oneAttempt: Schedule = [0]

/** An endpoint all of whose attempts fail for so long is disabled. */
export const failingLimitMs = 5 * 24 * hour
/** Nobody puts a delivery off for longer than the schedule itself would. */
const maxPostponedMs = 24 * hour
/** Nor all deliveries of an endpoint for longer than this. */
const maxHeldMs = hour

export function isDelivered(answer: EndpointAnswer | null): boolean {
  return answer !== null && answer.status >= 200 && answer.status < 300
}

/** The endpoint says that it is no more. */
export function isGone(answer: EndpointAnswer | null): boolean {
  return answer?.status === 410
}

/**
 * The step after attempt number `attempt`, from 1. `chance`, from 0 to 1, spreads the next one over a tenth of its
 * delay either way, so that what failed together is not tried together.
 */
export function stepAfter(
  answer: EndpointAnswer | null,
  attempt: number,
  schedule: Schedule,
  at: Date,
  chance: number,
): DeliveryStep {
  if (isDelivered(answer)) return { status: 'delivered' }
  const delayMs = schedule[attempt]
  if (delayMs === undefined || isGone(answer)) return { status: 'failed' }
  const askedMs = Math.min(answer?.retryAfterMs ?? 0, maxPostponedMs)
  return {
    status: 'pending',
    dueAt: new Date(at.getTime() + Math.max(askedMs, Math.round(delayMs * (0.9 + chance / 5)))),
  }
}

/** Until when an endpoint that says it is overloaded is asked for nothing at all; null when it did not say so. */
export function heldUntil(answer: EndpointAnswer | null, at: Date): Date | null {
  if (answer === null || (answer.status !== 429 && answer.status !== 503) || answer.retryAfterMs === null) return null
  return new Date(at.getTime() + Math.min(answer.retryAfterMs, maxHeldMs))
}
