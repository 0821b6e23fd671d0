/** Names what is wrong with the deployment; the process must not serve. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The problem types of the Payment scheme. */
export type ProblemType = 'payment-required' | 'malformed-credential' | 'invalid-challenge' | 'verification-failed'

/** Why a call is not answered by its upstream. Whatever ends so has cost nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** The machine's word. */
  readonly code: string
  /** What the Payment scheme calls it; a refusal with one brings a fresh challenge. */
  readonly type: ProblemType | undefined
  readonly retryAfterSec: number | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      readonly type?: ProblemType
      readonly retryAfterSec?: number
      readonly details?: Readonly<Record<string, unknown>>
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.type = options.type
    this.retryAfterSec = options.retryAfterSec
    this.details = options.details ?? {}
  }
}

/** A credential whose payment does not hold. */
export function unpaid(code: string, message: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(402, code, message, { type: 'verification-failed', details })
}

/** Something the gateway depends on does not answer; nothing is charged, and the same request may be sent again. */
export function unavailable(message: string, cause?: unknown): Refusal {
  return new Refusal(503, 'gateway_unavailable', message, { retryAfterSec: 5, cause })
}
