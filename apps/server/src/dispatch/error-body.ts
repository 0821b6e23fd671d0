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

/**
 * An error that the caller may see, whatever was thrown: what is not of the catalogue answers INTERNAL and says
 * nothing.
 */
export function errorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const error = thrown instanceof MarketError ? thrown : new MarketError('INTERNAL')
  const entry = errorCatalogue[error.code]
  const message = error.hasOwnMessage ? error.message : entry.message
  const hasDetails = Object.keys(error.details).length > 0
  const body: ErrorBody = {
    error: errorNames[entry.status],
    code: error.code,
    message,
    ...(hasDetails ? { details: error.details } : {}),
    request_id: requestId,
    detail: {
      ...error.details,
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
      ...headersFor(error, entry.status),
      ...(error instanceof ReplayedRefusal ? { 'idempotent-replayed': 'true' } : {}),
    },
  }
}

function headersFor(error: MarketError, status: number): Readonly<Record<string, string>> {
  if (status === 429) {
    const reset = Date.parse(String(error.details['reset_at']))
    const waitSec = Number(error.details['retry_after_sec'] ?? 60)
    return {
      'retry-after': String(waitSec),
      ...(Number.isNaN(reset) ? {} : { 'x-ratelimit-reset': String(Math.ceil(reset / 1000)) }),
    }
  }
  // 502 is left out: a settlement is retried with backoff, not after a fixed time (spec §7).
  return status === 503 || (status === 409 && errorCatalogue[error.code].retryable)
    ? {
        'retry-after': String(
          status === 409 && error.code !== 'IDEMPOTENCY_IN_FLIGHT'
            ? 10
            : (error.details['retry_after_sec'] ?? retryAfterSec),
        ),
      }
    : {}
}
