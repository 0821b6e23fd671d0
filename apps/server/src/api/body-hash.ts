import { createHash } from 'node:crypto'

/** Two bodies that differ in the order of their keys or in their blanks are the same request (decision 0010). */
export function bodyHash(input: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(input).filter(([name]) => name !== 'idempotency_key').sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}
