import { limits } from './limits.ts'
import {
  readBareItem,
  readKey,
  readString,
  serializeBareItem,
  serializeString,
  skipSpaces,
  take,
  takeComma,
} from './structured-field.ts'
import type { BareItem, Cursor } from './structured-field.ts'

/** One signature's description: what it covers, its parameters, and the one text of both. */
export type SignatureInput = {
  readonly label: string
  readonly components: readonly string[]
  /** Whether any component carries a parameter such as `;req` or `;bs`. */
  readonly parameterized: boolean
  readonly params: ReadonlyMap<string, BareItem>
  /** The inner list and its parameters, serialised from what was read: the value of `@signature-params`. */
  readonly text: string
}

/**
 * Reads a Signature-Input header: a dictionary of inner lists of strings (RFC 9421 §4.1). Undefined for
 * anything else and for what the structured-field rules would silently drop: a repeated label, component or
 * parameter. The header is read once; what is signed is written again from the result, so nothing can be
 * read one way and signed another.
 */
export function parseSignatureInput(text: string): readonly SignatureInput[] | undefined {
  const cursor: Cursor = { text, at: 0 }
  const members: SignatureInput[] = []
  do {
    const member = readMember(cursor)
    if (member === undefined || members.length === limits.members) return undefined
    if (members.some((other) => other.label === member.label)) return undefined
    members.push(member)
  } while (takeComma(cursor))
  return cursor.at === text.length ? members : undefined
}

function readMember(cursor: Cursor): SignatureInput | undefined {
  const label = readKey(cursor)
  if (label === undefined || !take(cursor, '=') || !take(cursor, '(')) return undefined
  const list = readComponents(cursor)
  if (list === undefined) return undefined
  const params = new Map<string, BareItem>()
  const paramText = readParams(cursor, params)
  if (paramText === undefined) return undefined
  return {
    label,
    components: list.names,
    parameterized: list.parameterized,
    params,
    text: `(${list.text})${paramText}`,
  }
}

type Components = { readonly names: readonly string[]; readonly parameterized: boolean; readonly text: string }

function readComponents(cursor: Cursor): Components | undefined {
  const names: string[] = []
  const texts: string[] = []
  let parameterized = false
  skipSpaces(cursor)
  while (!take(cursor, ')')) {
    const name = readString(cursor)
    const params = new Map<string, BareItem>()
    const paramText = name === undefined ? undefined : readParams(cursor, params)
    if (name === undefined || paramText === undefined || names.length === limits.components) return undefined
    const text = serializeString(name) + paramText
    if (texts.includes(text)) return undefined
    if (params.size > 0) parameterized = true
    names.push(name)
    texts.push(text)
    const next = cursor.text.charAt(cursor.at)
    if (next !== ' ' && next !== ')') return undefined
    skipSpaces(cursor)
  }
  return { names, parameterized, text: texts.join(' ') }
}

function readParams(cursor: Cursor, params: Map<string, BareItem>): string | undefined {
  let text = ''
  while (take(cursor, ';')) {
    skipSpaces(cursor)
    const key = readKey(cursor)
    if (key === undefined || params.has(key) || params.size === limits.parameters) return undefined
    const value: BareItem | undefined = take(cursor, '=') ? readBareItem(cursor) : { kind: 'boolean', value: true }
    if (value === undefined) return undefined
    params.set(key, value)
    // A true boolean is written by its key alone (RFC 8941 §4.1.1.2).
    text += value.kind === 'boolean' && value.value ? `;${key}` : `;${key}=${serializeBareItem(value)}`
  }
  return text
}
