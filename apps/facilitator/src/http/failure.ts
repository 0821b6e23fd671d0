import { Refusal, Unavailable } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type Failure = {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What a thrown thing becomes for the caller. A cause that is not the caller's stays in the log, under the answer's
 * `ref`.
 */
export function describeFailure(
  error: unknown,
  deps: { readonly log: Log; readonly surroundings: Surroundings },
): Failure {
  if (error instanceof Refusal) {
    const { status, code, message: text, details } = error
    return {
      status,
      code,
      text,
      details,
      headers: typeof details['retry_after'] === 'number' ? { 'retry-after': String(details['retry_after']) } : {},
    }
  }
  const ref = deps.surroundings.id()
  deps.log.warn({ ref, err: error }, 'request failed')
  if (error instanceof Unavailable) {
    return {
      status: error.status,
      code: error.code,
      text: error.message,
      details: { ...error.details, ref },
      headers: { 'retry-after': '5' },
    }
  }
  return { status: 500, code: 'unexpected_error', text: 'unexpected_error', details: { ref }, headers: {} }
}

/** Whether the order may have been sent, and whether this is its end. Every failed order is answered with it. */
export function doubt({ status, details }: Failure): { readonly broadcast?: boolean; readonly final: boolean } {
  const { broadcast, final } = details
  // Only what is proven is denied.
  return { ...(status >= 500 ? { broadcast: broadcast !== false } : {}), final: final === true }
}
