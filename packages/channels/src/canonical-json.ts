import { base64urlToBytes, bytesToBase64url, ProtocolError, utf8 } from '@ergon/protocols'

/** What goes through here: JSON whose numbers are whole. */
export type CanonicalValue =
  null | boolean | number | string | readonly CanonicalValue[] | { readonly [name: string]: CanonicalValue | undefined }

/**
 * JSON in the one form of RFC 8785: names in the order of their UTF-16 units, no spaces; members that are undefined
 * are left out. @throws ProtocolError for a number that is not whole and safe, or a text that is no Unicode.
 */
export function canonicalJson(value: CanonicalValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new ProtocolError('malformed', 'numbers here are whole')
    // Minus zero is written as zero.
    return String(value)
  }
  if (typeof value === 'string') return textOf(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : ([[name, member]] as const),
  )
  // Comparing texts compares their UTF-16 units.
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${textOf(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Canonical JSON as it travels in a header: base64url without padding. */
export function toHeaderJson(value: CanonicalValue): string {
  return bytesToBase64url(utf8(canonicalJson(value)))
}

/**
 * Reads JSON out of a header. Whether the sender canonicalised it is not asked.
 *
 * @throws ProtocolError `malformed`
 */
export function fromHeaderJson(text: string, limit = 16_384): unknown {
  const bytes = text.length > limit ? undefined : base64urlToBytes(text)
  if (bytes === undefined) throw new ProtocolError('malformed', 'not base64url without padding, or too long')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw new ProtocolError('malformed', 'not JSON in UTF-8', { cause })
  }
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new ProtocolError('malformed', 'a text with half a surrogate pair is no Unicode')
  return JSON.stringify(text)
}

function isList(value: CanonicalValue): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}
