import type { VerifyRequestCode } from './codes.ts'
import type { RequestParts } from './message.ts'

/**
 * Headers that, when present, change what the request does and that nothing else signs: each must be
 * covered. The payment authorization and the approval carry signatures of their own.
 */
export const coveredWhenPresent: readonly string[] = ['x-payment-worker', 'x-payment-fee']

/** What the request requires a signature to cover, judged from what was received, or undefined when it does. */
export function missingCoverage(components: readonly string[], parts: RequestParts): VerifyRequestCode | undefined {
  const covers = (name: string): boolean => components.includes(name)
  if (!covers('@method') || !covers('@authority') || !covers('@path')) return 'not_request_bound'
  if (parts.query !== undefined && !covers('@query')) return 'not_request_bound'
  if (parts.hasBody && !parts.fields.values.has('content-digest')) return 'digest_required'
  if (parts.hasBody && !covers('content-digest')) return 'not_request_bound'
  const loose = coveredWhenPresent.some((name) => parts.fields.values.has(name) && !covers(name))
  return loose ? 'header_not_covered' : undefined
}
