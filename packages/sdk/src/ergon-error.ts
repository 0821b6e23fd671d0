import { errorCatalogue, type ErrorCode } from '@ergon/contract'

/** What an {@link ErgonError} is made of. */
export type ErgonErrorFields = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly recovery: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string
  readonly retryAfterSec?: number
}

/**
 * The service refused, or did not answer. `code` is one of the catalogue's, or `unreachable` and `timeout`
 * with status 0 when no answer came: whether the request took effect is then unknown.
 */
export class ErgonError extends Error {
  readonly status: number
  readonly code: string
  /** Whether the same call may succeed later without a change of its content. */
  readonly retryable: boolean
  /** What to do now. */
  readonly recovery: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly retryAfterSec: number | undefined

  constructor(fields: ErgonErrorFields, options?: ErrorOptions) {
    super(`${fields.code}: ${fields.message}`, options)
    this.name = 'ErgonError'
    this.status = fields.status
    this.code = fields.code
    this.retryable = fields.retryable
    this.recovery = fields.recovery
    this.details = fields.details ?? {}
    this.requestId = fields.requestId
    this.retryAfterSec = fields.retryAfterSec
  }
}

/** An error of the catalogue, for an outcome the service reports by state rather than by an answer of its own. */
export function catalogueError(code: ErrorCode, details: Readonly<Record<string, unknown>>): ErgonError {
  return new ErgonError({ ...errorCatalogue[code], code, details })
}

/** Reads an error answer; a body of a foreign shape (a proxy's page, say) still makes an error. */
export function errorOfAnswer(status: number, headers: Headers, body: unknown): ErgonError {
  const root = record(body)
  const detail = record(root['detail'])
  const code = text(detail['code']) ?? text(root['code']) ?? `HTTP_${status}`
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  const requestId = text(root['request_id']) ?? headers.get('x-request-id') ?? undefined
  return new ErgonError({
    status,
    code,
    message: text(root['message']) ?? text(detail['message']) ?? `the service answered ${status}`,
    retryable: typeof detail['retryable'] === 'boolean' ? detail['retryable'] : status === 429 || status >= 502,
    recovery: text(detail['recovery']) ?? '',
    details: record(root['details']),
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfterSec: retryAfter } : {}),
  })
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  // Members stay unknown until each is looked at.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
