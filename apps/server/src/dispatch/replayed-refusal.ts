import { errorCatalogue, type ErrorCode } from '@ergon/contract'
import { MarketError, type ErrorDetails } from '@ergon/core'

/** A refusal that was given before under the same idempotency key, and is final. */
export class ReplayedRefusal extends MarketError {
  constructor({
    code,
    message,
    details,
  }: {
    readonly code: string
    readonly message: string | null
    readonly details: ErrorDetails
  }) {
    super(isKnown(code) ? code : 'INTERNAL', details, message === null ? {} : { message })
  }
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}
