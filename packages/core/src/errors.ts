import type { ErrorCode } from '@ergon/contract'

/** What a caller may be told beside the code: plain JSON, no secrets, no signatures. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The one expected error of the domain; status and `retryable` stand in the catalogue under its code. */
export class MarketError extends Error {
  override readonly name = 'MarketError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    options: { readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super(options.message ?? code, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.details = details
  }

  /** Whether the thrower said it in words of its own; otherwise the catalogue's message is shown. */
  get hasOwnMessage(): boolean {
    return this.message !== this.code
  }
}
