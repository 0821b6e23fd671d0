import type { OperationName } from '@ergon/contract'
import { takesIdempotencyKey, type WireOperation } from '@ergon/contract/wire'
import { keccak256Hex, utf8 } from '@ergon/protocols'

/** What makes two calls the same one. */
export type CallIdentity = {
  /** The wallet that calls; absent where a cookie or a key says who it is, and the service tells callers apart. */
  readonly wallet: string | undefined
  readonly operation: OperationName
  readonly input: Readonly<Record<string, unknown>>
  /** The caller's own name for this call: two with different names are two calls, whatever they contain. */
  readonly clientRef: string | undefined
  /** Counts the refusals remembered under earlier keys of the same call. */
  readonly generation: number
}

/** Whether a call is told apart by what it says. The others get a key of their own each time they are made. */
export function isToldByContent(definition: WireOperation): boolean {
  const [binding] = definition.rest
  return binding?.method === 'POST' && takesIdempotencyKey(definition, binding) && definition.sameWordsAnew !== true
}

/**
 * The key of a call: the same wallet, operation, content and reference give the same key on any machine (decision
 * 0070).
 */
export function contentKey({ wallet, operation, input, clientRef, generation }: CallIdentity): string {
  const text = canonicalJson([wallet?.toLowerCase() ?? '', operation, input, clientRef ?? '', generation])
  return `c1-${keccak256Hex(utf8(text)).slice(2)}`
}

/** JSON in which the order of members says nothing. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(byName))
      : member,
  )
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0
}
