import { createHash } from 'node:crypto'

/** A key says that the request is the same one; an approval signs it, and a fresh signature says nothing new. */
const unhashed: ReadonlySet<string> = new Set(['idempotency_key', 'approval'])

/** Two bodies that differ in the order of their keys or in their blanks are the same request (decision 0050). */
export function bodyHash(input: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(input)
    .filter(([name]) => !unhashed.has(name))
    .sort(byName)
  return createHash('sha256').update(JSON.stringify(fields, sorted)).digest('hex')
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

/** Objects within the body, with their keys in order. */
function sorted(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byName))
    : value
}
