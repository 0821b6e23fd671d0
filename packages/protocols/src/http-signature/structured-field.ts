import { base64ToBytes } from '../base64.ts'

/** A position in a header's text. Readers move it forward and answer undefined when the text is not theirs. */
export type Cursor = { readonly text: string; at: number }

/** A value of RFC 8941 §3.3. A decimal stays text: nothing here computes with one. */
export type BareItem =
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'decimal'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** Whether the character at the cursor is `char`; when it is, the cursor passes it. */
export function take(cursor: Cursor, char: string): boolean {
  if (cursor.text.charAt(cursor.at) !== char) return false
  cursor.at += 1
  return true
}

/** Passes spaces. */
export function skipSpaces(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) === 32) cursor.at += 1
}

/** Passes the separator of two dictionary members; a member must follow. False where there is no comma. */
export function takeComma(cursor: Cursor): boolean {
  skipBlank(cursor)
  if (!take(cursor, ',')) return false
  skipBlank(cursor)
  return true
}

function skipBlank(cursor: Cursor): void {
  let code = cursor.text.charCodeAt(cursor.at)
  while (code === 32 || code === 9) {
    cursor.at += 1
    code = cursor.text.charCodeAt(cursor.at)
  }
}

/** A member's or a parameter's name. */
export function readKey(cursor: Cursor): string | undefined {
  const first = cursor.text.charCodeAt(cursor.at)
  if (!isLower(first) && first !== 42) return undefined
  return readWhile(cursor, isKeyCode)
}

function readWhile(cursor: Cursor, belongs: (code: number) => boolean): string {
  const start = cursor.at
  while (belongs(cursor.text.charCodeAt(cursor.at))) cursor.at += 1
  return cursor.text.slice(start, cursor.at)
}

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isAlpha = (code: number): boolean => isLower(code | 32) && code < 128
const isKeyCode = (code: number): boolean =>
  isLower(code) || isDigit(code) || code === 95 || code === 45 || code === 46 || code === 42
const tokenMarks = new Set(Array.from("!#$%&'*+-.^_`|~:/", (mark) => mark.charCodeAt(0)))
const isTokenCode = (code: number): boolean => isAlpha(code) || isDigit(code) || tokenMarks.has(code)
const isBase64Code = (code: number): boolean =>
  isAlpha(code) || isDigit(code) || code === 43 || code === 47 || code === 61

/** A quoted string: printable ASCII, with only the quote and the backslash escaped. */
export function readString(cursor: Cursor): string | undefined {
  if (!take(cursor, '"')) return undefined
  let value = ''
  let start = cursor.at
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (!(code >= 32 && code <= 126)) return undefined
    if (code === 34) {
      value += cursor.text.slice(start, cursor.at)
      cursor.at += 1
      return value
    }
    if (code === 92) {
      const escaped = cursor.text.charAt(cursor.at + 1)
      if (escaped !== '"' && escaped !== '\\') return undefined
      value += cursor.text.slice(start, cursor.at)
      start = cursor.at + 1
      cursor.at += 1
    }
    cursor.at += 1
  }
}

/** Any value. Dates and display strings of RFC 9651 are no part of this profile. */
export function readBareItem(cursor: Cursor): BareItem | undefined {
  const code = cursor.text.charCodeAt(cursor.at)
  if (code === 34) {
    const value = readString(cursor)
    return value === undefined ? undefined : { kind: 'string', value }
  }
  if (isDigit(code) || code === 45) return readNumber(cursor)
  if (code === 58) return readBytes(cursor)
  if (code === 63) return readBoolean(cursor)
  if (isAlpha(code) || code === 42) return { kind: 'token', value: readWhile(cursor, isTokenCode) }
  return undefined
}

function readNumber(cursor: Cursor): BareItem | undefined {
  const sign = take(cursor, '-') ? -1 : 1
  const whole = readWhile(cursor, isDigit)
  // A leading zero would give one number several texts; no serialiser writes one.
  if (whole === '' || (whole.length > 1 && whole.startsWith('0'))) return undefined
  if (!take(cursor, '.')) {
    // Adding zero turns -0, which has no text of its own, into 0.
    return whole.length > 15 ? undefined : { kind: 'integer', value: sign * Number(whole) + 0 }
  }
  const fraction = readWhile(cursor, isDigit)
  if (whole.length > 12 || fraction.length < 1 || fraction.length > 3) return undefined
  return { kind: 'decimal', value: `${sign < 0 ? '-' : ''}${whole}.${fraction}` }
}

/** A byte sequence; its base64 must be canonical, so that one signature has one text. */
export function readBytes(cursor: Cursor): BareItem | undefined {
  if (!take(cursor, ':')) return undefined
  const text = readWhile(cursor, isBase64Code)
  const value = base64ToBytes(text)
  return value === undefined || !take(cursor, ':') ? undefined : { kind: 'bytes', value, text }
}

function readBoolean(cursor: Cursor): BareItem | undefined {
  cursor.at += 1
  const digit = cursor.text.charAt(cursor.at)
  if (digit !== '0' && digit !== '1') return undefined
  cursor.at += 1
  return { kind: 'boolean', value: digit === '1' }
}

/** The one text of a value, as a signature base carries it (RFC 8941 §4.1). */
export function serializeBareItem(item: BareItem): string {
  switch (item.kind) {
    case 'integer':
      return String(item.value)
    case 'string':
      return serializeString(item.value)
    case 'bytes':
      return `:${item.text}:`
    case 'boolean':
      return item.value ? '?1' : '?0'
    case 'token':
    case 'decimal':
      return item.value
  }
}

/** A quoted string. */
export function serializeString(value: string): string {
  return `"${value.includes('"') || value.includes('\\') ? value.replace(/["\\]/g, '\\$&') : value}"`
}
