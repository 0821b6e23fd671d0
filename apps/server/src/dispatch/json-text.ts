import { cutText, MarketError } from '@ergon/core'

export type JsonObject = Readonly<Record<string, unknown>>
export type ReadBody = { readonly value: JsonObject; /** Source text of the numbers asked for, exactly as sent. */ readonly sources: Readonly<Record<string, string>> }

const decoder = new TextDecoder('utf-8', { fatal: true })
const maxDepth = 32

/**
 * Reads a JSON object strictly: valid UTF-8, no duplicate keys, at most 32 levels. Two readers that disagree about a
 * duplicate key would see two different requests under one signature (RFC 8259 §4). Decimals are looked for in the
 * object that the names of `within` lead to.
 * @throws MALFORMED_BODY
 */
export function readJsonObject(bytes: Uint8Array, decimalFields: ReadonlySet<string>, within: readonly string[] = []): ReadBody {
  const text = decode(bytes)
  const sources: Record<string, string> = {}
  const value = parse(text)
  if (unstorableEscape.test(text)) requireStorable(value)
  scan(text, within, (name, source) => { if (decimalFields.has(name)) sources[name] = source })
  return { value, sources }
}

/** Escapes that may stand for a NUL or for half a character; a plain text without one needs no second look. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/

/** Text that no database keeps as it was signed is refused, wherever it stands. */
function requireStorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw malformed('The body holds a NUL or half a character.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      requireStorable(name)
      requireStorable(one)
    }
  }
}

/** Whether a text comes back from the store as it went in. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw malformed('The body is not UTF-8.')
  }
}

function parse(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('The body is not a JSON object.')
  // An object and no array: its values are still unknown.
  return value as JsonObject
}

const quote = 34
const backslash = 92

/** Walks text that is known to be JSON; reports every number right within an object and refuses repeated keys and deep nesting. */
function scan(text: string, within: readonly string[], onNumber: (name: string, source: string) => void): void {
  const objects: (Set<string> | null)[] = []
  const names: string[] = []
  const isWithin = (): boolean => objects.length === within.length + 1 && within.every((name, depth) => names[depth] === name && objects[depth] !== null)
  let name = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = stringEnd(text, at)
      const after = skipBlank(text, end)
      const keys = objects.at(-1)
      if (keys instanceof Set && text[after] === ':') {
        name = keyText(text.slice(at, end))
        if (keys.has(name)) throw malformed('The body repeats a key.', { field: cutText(name, 100) })
        keys.add(name)
        names[objects.length - 1] = name
        at = after
      } else at = end - 1
    } else if (code === 123 || code === 91) {
      objects.push(code === 123 ? new Set() : null)
      if (objects.length > maxDepth) throw malformed('The body is nested too deeply.', { max_depth: maxDepth })
    } else if (code === 125 || code === 93) objects.pop()
    else if ((code === 45 || (code >= 48 && code <= 57)) && isWithin()) {
      const end = numberEnd(text, at)
      onNumber(name, text.slice(at, end))
      at = end - 1
    }
  }
}

/** Position after the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at + 1
}

function skipBlank(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return at
}

function numberEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && '0123456789+-.eE'.includes(text[at] ?? ' ')) at += 1
  return at
}

function keyText(source: string): string {
  return source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1)
}

function malformed(message: string, details: Readonly<Record<string, string | number>> = {}): MarketError {
  return new MarketError('MALFORMED_BODY', details, { message })
}
