import type { ErrorCode } from '@ergon/contract'
import { wireErrors } from '@ergon/contract/wire'

/**
 * Codes this client gives itself: no answer came, or none that a service of this kind gives, or money is on its way.
 */
export type ClientErrorCode = 'unreachable' | 'timeout' | 'SETTLEMENT_PENDING' | `HTTP_${number}`

/** What these say is that nobody knows yet: neither that it was done nor that it failed. */
const pendingCodes: ReadonlySet<string> = new Set([
  'SETTLEMENT_PENDING',
  'OUTCOME_UNKNOWN',
  'IDEMPOTENCY_IN_FLIGHT',
  'SIGNATURE_REPLAYED',
  'HTTP_502',
  'HTTP_503',
  'HTTP_504',
])
/** Every code that is known when this is compiled; a newer service may name another, which stays a plain text. */
export type ErgonErrorCode = ErrorCode | ClientErrorCode

/** What an {@link ErgonError} is made of. */
export type ErgonErrorFields = {
  readonly status: number
  readonly code: ErgonErrorCode | (string & {})
  readonly message: string
  readonly retryable: boolean
  readonly recovery: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string
  readonly retryAfterSec?: number
  readonly replayed?: boolean
  readonly idempotencyKey?: string
}

/**
 * The service refused, or did not answer. `code` is one of the catalogue's, or `unreachable` and `timeout`
 * with status 0 when no answer came: whether the request took effect is then unknown, and
 * `operations.get({ key: error.idempotencyKey })` says it later.
 */
export class ErgonError extends Error {
  readonly status: number
  readonly code: ErgonErrorCode | (string & {})
  /**
   * Whether the same call may succeed later without a change of its content; the catalogue decides where it knows the
   * code.
   */
  readonly retryable: boolean
  /** What to do now. */
  readonly recovery: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly retryAfterSec: number | undefined
  /** The refusal was given before, to an earlier call with the same key. */
  readonly replayed: boolean
  /** The key that the call was sent with. */
  readonly idempotencyKey: string | undefined

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
    this.replayed = fields.replayed ?? false
    this.idempotencyKey = fields.idempotencyKey
  }

  /** Whether this is one of these refusals; a word that is no code does not compile. */
  is<C extends ErgonErrorCode>(...codes: readonly C[]): this is ErgonError & { readonly code: C } {
    const known: readonly string[] = codes
    return known.includes(this.code)
  }

  /** No answer came, so nobody knows yet whether the call took effect. */
  get unanswered(): boolean {
    return this.status === 0
  }

  /**
   * Nothing has failed yet: it may have been done, or is being done. The same call again finds out, and doubles
   * nothing.
   */
  get pending(): boolean {
    return this.unanswered || pendingCodes.has(this.code)
  }

  /** The same error, with the key its call was sent with. */
  underKey(idempotencyKey: string | undefined): ErgonError {
    const { status, code, retryable, recovery, details, requestId, retryAfterSec, replayed } = this
    const message = this.message.slice(code.length + 2)
    return new ErgonError(
      {
        status,
        code,
        message,
        retryable,
        recovery,
        details,
        replayed,
        ...(requestId === undefined ? {} : { requestId }),
        ...(retryAfterSec === undefined ? {} : { retryAfterSec }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      },
      { cause: this.cause },
    )
  }
}

/** What a payment that is still under way belongs to. */
export type PendingSubject = {
  readonly taskId: string
  /** What is awaited, in words. */
  readonly subject: string
  readonly idempotencyKey: string | undefined
}

/**
 * A payment, a lock or a refund is under way and did not end in the time that was given: nothing has failed. The same
 * call again goes on with it; `operations.get({ key: error.idempotencyKey })` and the task tell its state.
 */
export class SettlementPending extends ErgonError {
  readonly taskId: string

  constructor({ taskId, subject, idempotencyKey }: PendingSubject, options?: ErrorOptions) {
    super(
      {
        status: 202,
        code: 'SETTLEMENT_PENDING',
        message: `${subject} is still under way; nothing has failed`,
        retryable: true,
        details: { task_id: taskId },
        recovery:
          'Make the same call again, or read the task: the service finishes what it began, and does nothing twice.',
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      },
      options,
    )
    this.name = 'SettlementPending'
    this.taskId = taskId
  }
}

const notOurs = 'Not the service answered, but a proxy or another program: check the address, or ask again later.'

/** Reads an error answer; a body of a foreign shape (a proxy's page, say) still makes an error. */
export function errorOfAnswer(status: number, headers: Headers, body: unknown): ErgonError {
  const root = record(body)
  const detail = record(root['detail'])
  const foreign = `HTTP_${status}`
  const code = text(detail['code']) ?? text(root['code']) ?? foreign
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  const requestId = text(root['request_id']) ?? headers.get('x-request-id') ?? undefined
  return new ErgonError({
    status,
    code,
    message: text(root['message']) ?? text(detail['message']) ?? `the answer was ${status}`,
    retryable: isErrorCode(code)
      ? wireErrors[code][1] === 1
      : typeof detail['retryable'] === 'boolean'
        ? detail['retryable']
        : status === 429 || status >= 502,
    recovery: text(detail['recovery']) ?? (code === foreign ? notOurs : ''),
    details: record(root['details']),
    replayed: headers.get('idempotent-replayed') === 'true',
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfterSec: retryAfter } : {}),
  })
}

/** The refusal that `operations.get` remembers of a call. */
export function errorRemembered(status: number, answer: unknown): ErgonError {
  return errorOfAnswer(status, new Headers({ 'idempotent-replayed': 'true' }), answer)
}

/** Whether a text is a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(wireErrors, code)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  // Members stay unknown until each is looked at.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
