import type { Operation, RestBinding } from './operation.ts'

/** Path placeholders in order. */
export const pathFields = (path: string): readonly string[] =>
  [...path.matchAll(/\{([a-z_]+)\}/g)].flatMap((match) => (match[1] === undefined ? [] : [match[1]]))

/**
 * Whether a binding takes X-Idempotency-Key: every one that changes something and knows who asks (decision 0050). Where
 * `headers` names it, the operation keeps the key itself.
 */
export const takesIdempotencyKey = (
  { access }: { readonly access: Pick<Operation['access'], 'by'> },
  { method }: RestBinding,
): boolean => method !== 'GET' && access.by !== 'anyone'
