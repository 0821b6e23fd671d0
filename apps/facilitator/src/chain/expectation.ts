import { findEvent, type Address, type ExpectedEvent, type Hex } from '@ergon/protocols'

export type Log = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }

/** The failure of a transaction that succeeded and did not do what it was sent for. */
export const missingEvent = 'missing_event'

/** The matching log of each expectation, or undefined when one is missing. */
export function matchLogs(expected: readonly ExpectedEvent[], logs: readonly Log[]): readonly Log[] | undefined {
  const matched: Log[] = []
  for (const event of expected) {
    const found = findEvent(event, logs)
    if (found === undefined) return undefined
    matched.push({ address: found.address, topics: found.topics, data: found.data })
  }
  return matched
}
