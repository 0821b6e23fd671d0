import type { Address, Hex } from '@ergon/protocols'
import { wordAt } from './words.ts'

export type Log = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }

/**
 * One event a transaction must have emitted before it counts as done. A call to an address without code succeeds and
 * moves nothing, so the status alone proves nothing.
 */
export type Expectation = {
  readonly emitter: Address
  /** Any of these as topic 0; then the indexed values, null for any. */
  readonly events: readonly Hex[]
  readonly indexed: readonly (Hex | null)[]
  /** A data word and its decimal value. */
  readonly word?: { readonly index: number; readonly value: string }
}

/** The failure of a transaction that succeeded and did not do what it was sent for. */
export const missingEvent = 'missing_event'

/** The matching log of each expectation, or undefined when one is missing. */
export function matchLogs(expectations: readonly Expectation[], logs: readonly Log[]): readonly Log[] | undefined {
  const matched: Log[] = []
  for (const expectation of expectations) {
    const found = logs.find((log) => matches(expectation, log))
    if (found === undefined) return undefined
    matched.push({ address: found.address, topics: found.topics, data: found.data })
  }
  return matched
}

function matches(expectation: Expectation, log: Log): boolean {
  const [event, ...indexed] = log.topics
  if (event === undefined || !expectation.events.includes(event)) return false
  if (log.address.toLowerCase() !== expectation.emitter.toLowerCase()) return false
  if (
    expectation.indexed.some((topic, index) => topic !== null && topic.toLowerCase() !== indexed[index]?.toLowerCase())
  )
    return false
  return expectation.word === undefined || wordAt(log.data, expectation.word.index) === BigInt(expectation.word.value)
}
