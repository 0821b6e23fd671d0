import type { ErrorCode } from '@ergon/contract'
import { MarketError, type ErrorDetails } from '@ergon/core'

/** What a transport throws for what it refuses itself: a code of the catalogue, as the domain would. */
export type Refusal = Error

export function refusal(code: ErrorCode, details: ErrorDetails = {}, message?: string): Refusal {
  return new MarketError(code, details, message === undefined ? {} : { message })
}

/** Whether it was foreseen: refused by name, here or in the domain. */
export function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof MarketError
}
