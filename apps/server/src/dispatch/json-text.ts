import { cutText, MarketError } from '@ergon/core'

export type JsonObject = Readonly<Record<string, unknown>>
export type ReadBody = {
  readonly value: JsonObject
  /** Source text of the numbers asked for, exactly as sent. */
  readonly sources: Readonly<Record<string, string>>
}

const decoder = new TextDecoder('utf-8', { fatal: true })
const maxDepth = 32

/** Texts, keys, objects and arrays of one body: the largest request of the contract has a few hundred. */
const maxParts = 20_000

/**
 * Reads a JSON object strictly: valid UTF-8, no duplicate keys, at most 32 levels and 20,000 texts, keys, objects and
 * arrays.
 * All of that is found in the text, before anything is built from it: building is what a large body makes dear. Two
 * readers that disagree about a
 * duplicate key would see two different requests under one signature (RFC 8259 §4). Decimals are looked for in the
 * object that the names of `within` lead to.
 * @throws MALFORMED_BODY
 */
export function readJsonObject(
  bytes: Uint8Array,
  decimalFields: ReadonlySet<string>,
  within: readonly string[] = [],
): ReadBody {
  const text = decode(bytes)
  const sources: Record<string, string> = {}
  scan(text, within, (name, source) => {
    if (decimalFields.has(name)) sources[name] = source
  })
  const value = parse(text)
  if (unstorableEscape.test(text)) requireStorable(value)
  return { value, sources }
}

/**
 * Source text of every number that goes by one of these names, wherever it is in a body that `readJsonObject` has read.
 */
export function numberSources(
  bytes: Uint8Array,
  fields: ReadonlySet<string>,
): readonly (readonly [name: string, source: string])[] {
  const found: [string, string][] = []
  scan(decode(bytes), null, (name, source) => {
    if (fields.has(name)) found.push([name, source])
  })
  return found
}

/**
 * The texts of the elements of a JSON array, each to be read by `readJsonObject`; null where the body is none. No more
 * than `most` are looked for. @throws MALFORMED_BODY
 */
export function splitJsonArray(bytes: Uint8Array, most: number): readonly string[] | null {
  const text = decode(bytes).trim()
  if (!text.startsWith('[') || !text.endsWith(']')) return null
  const elements: string[] = []
  let [depth, start] = [0, 1]
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at) - 1
    else if (code === 123 || code === 91) depth += 1
    else if (depth > 0 && (code === 125 || code === 93)) depth -= 1
    else if (depth === 0 && (code === 44 || at === text.length - 1)) {
      elements.push(text.slice(start, at))
      if (elements.length > most) throw malformed('The body is too long a list.', { max_items: most })
      start = at + 1
    }
  }
  return elements.length === 1 && elements[0]?.trim() === '' ? [] : elements
}

const notJson = 'The body is not JSON.'
const notUtf8 = 'The body is not UTF-8.'

/** Whether a body was refused for being no JSON text at all. */
export function isNoJson(error: unknown): boolean {
  return error instanceof MarketError && (error.message === notJson || error.message === notUtf8)
}

/** Escapes that may stand for a NUL or for half a character; a plain text without one needs no second look. */
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/

/** Text that no database keeps as it was signed is refused, wherever it is. */
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
    throw malformed(notUtf8)
  }
}

function parse(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed(notJson)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('The body is not a JSON object.')
  // An object and no array: its values are still unknown.
  return value as JsonObject
}

const quote = 34
const backslash = 92
const colon = 58

/**
 * Walks text that may be JSON: reports every number right within an object, and refuses repeated keys, deep nesting and
 * too many parts. What is no JSON is left to the parser. `within` null reports numbers of every object.
 */
function scan(text: string, within: readonly string[] | null, onNumber: (name: string, source: string) => void): void {
  const objects: (Set<string> | null)[] = []
  const names: string[] = []
  const isWithin = (): boolean =>
    within === null
      ? objects.at(-1) instanceof Set
      : objects.length === within.length + 1 &&
        within.every((name, depth) => names[depth] === name && objects[depth] !== null)
  let name = ''
  let parts = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if ((parts += 1) > maxParts) throw tooManyParts()
      const end = stringEnd(text, at)
      const after = skipBlank(text, end)
      const keys = objects.at(-1)
      if (keys instanceof Set && text.charCodeAt(after) === colon) {
        name = keyText(text.slice(at, end))
        if (keys.has(name)) throw malformed('The body repeats a key.', { field: cutText(name, 100) })
        keys.add(name)
        names[objects.length - 1] = name
        at = after
      } else at = end - 1
    } else if (code === 123 || code === 91) {
      objects.push(code === 123 ? new Set() : null)
      if (objects.length > maxDepth) throw malformed('The body is nested too deeply.', { max_depth: maxDepth })
      if ((parts += 1) > maxParts) throw tooManyParts()
    } else if (code === 125 || code === 93) objects.pop()
    else if (startsNumber(code) && isWithin()) {
      const end = numberEnd(text, at)
      onNumber(name, text.slice(at, end))
      at = end - 1
    }
  }
}

/** Position after the closing quote of the string that opens at `start`, or the end of the text. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at += 1
  }
  return text.length
}

function skipBlank(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return at
}

const startsNumber = (code: number): boolean => code === 45 || (code >= 48 && code <= 57)

/** Digits, signs, the point and the exponent. */
function numberEnd(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!startsNumber(code) && code !== 43 && code !== 46 && code !== 69 && code !== 101) break
  }
  return at
}

function keyText(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1)
  try {
    return String(JSON.parse(source))
  } catch {
    throw malformed(notJson)
  }
}

function tooManyParts(): MarketError {
  return malformed('The body has too many parts.', { max_parts: maxParts })
}

function malformed(message: string, details: Readonly<Record<string, string | number>> = {}): MarketError {
  return new MarketError('MALFORMED_BODY', details, { message })
}
