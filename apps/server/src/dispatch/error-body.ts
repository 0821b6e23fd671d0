import { errorCatalogue, errorNames, type ErrorCode } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { ReplayedRefusal } from './replayed-refusal.ts'

/** An error as the wire carries it. */
export type ErrorAnswer = {
  readonly status: number
  readonly code: ErrorCode
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Satisfies both envelopes of spec §7 at once; clients branch on `detail.code` and `detail.retryable` (decision 0006).
 */
export type ErrorBody = {
  readonly error: string
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly request_id: string
  readonly detail: Readonly<Record<string, unknown>>
}

const retryAfterSec = 2
/** Where a counter has no window: what is held open is let go within about so long. */
const lookAgainSec = 60

/**
 * A refusal of a counter; the cap of listings is a number of things, and no time frees any. The gas of a day is counted
 * as well, whoever counts it.
 */
const isCounted = ({ code }: MarketError): boolean =>
  (errorCatalogue[code].status === 429 && code !== 'LISTING_CAP_REACHED') || code === 'GAS_BUDGET_SPENT'

/** Every counter says when to come again (spec §8), whether or not it has a window of its own. */
function withReset(details: MarketError['details'], now: number): MarketError['details'] {
  const waitSec = Number(details['retry_after_sec'] ?? lookAgainSec)
  return { remaining: 0, reset_at: new Date(now + waitSec * 1_000).toISOString(), ...details, retry_after_sec: waitSec }
}

/**
 * An error that the caller may see, whatever was thrown: what is not of the catalogue answers INTERNAL and says
 * nothing.
 */
export function errorAnswer(thrown: unknown, requestId: string, now = Date.now()): ErrorAnswer {
  const error = thrown instanceof MarketError ? thrown : new MarketError('INTERNAL')
  const entry = errorCatalogue[error.code]
  const details = isCounted(error) ? withReset(error.details, now) : error.details
  const message = error.hasOwnMessage ? error.message : entry.message
  const hasDetails = Object.keys(details).length > 0
  const body: ErrorBody = {
    error: errorNames[entry.status],
    code: error.code,
    message,
    ...(hasDetails ? { details } : {}),
    request_id: requestId,
    detail: {
      ...details,
      error: errorNames[entry.status],
      code: error.code,
      retryable: entry.retryable,
      message,
      recovery: entry.recovery,
      ref: requestId,
    },
  }
  return {
    status: entry.status,
    code: error.code,
    body,
    headers: {
      ...headersFor(error, details, entry.status),
      ...(error instanceof ReplayedRefusal ? { 'idempotent-replayed': 'true' } : {}),
    },
  }
}

/** A 409 that ends by itself, within seconds. */
const endsSoon: ReadonlySet<string> = new Set(['ESCROW_NOT_ASSIGNABLE', 'APPROVAL_IN_FLIGHT'])

/** Retry-After is sent where waiting helps, and nowhere else (spec §7). */
function headersFor(
  { code }: MarketError,
  details: MarketError['details'],
  status: number,
): Readonly<Record<string, string>> {
  if (status === 429) {
    const reset = Date.parse(String(details['reset_at']))
    return Number.isNaN(reset)
      ? {}
      : {
          'retry-after': String(details['retry_after_sec']),
          'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
        }
  }
  if (endsSoon.has(code)) return { 'retry-after': '10' }
  // 502 is left out: a settlement is retried with backoff, not after a fixed time (spec §7).
  return status === 503 || code === 'IDEMPOTENCY_IN_FLIGHT'
    ? { 'retry-after': String(details['retry_after_sec'] ?? retryAfterSec) }
    : {}
}
