import { limits } from './limits.ts'
import { readBytes, readKey, take, takeComma, type Cursor } from './structured-field.ts'

/**
 * Reads a Signature header: a dictionary of byte sequences without parameters (RFC 9421 §4.2).
 * Undefined for anything else, a repeated label included.
 */
export function parseSignatures(text: string): ReadonlyMap<string, Uint8Array> | undefined {
  const cursor: Cursor = { text, at: 0 }
  const signatures = new Map<string, Uint8Array>()
  do {
    const label = readKey(cursor)
    if (label === undefined || signatures.has(label) || signatures.size === limits.members || !take(cursor, '='))
      return undefined
    const bytes = readBytes(cursor)
    if (bytes?.kind !== 'bytes') return undefined
    signatures.set(label, bytes.value)
  } while (takeComma(cursor))
  return cursor.at === text.length ? signatures : undefined
}
