import type { VerifyRequestCode } from './codes.ts'

/** A request as it came over the wire; the target and the header list are raw, in order, with duplicates. */
export type VerifyRequestMessage = {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** Header fields by lowercase name, repeated lines joined in order and only trimmed (RFC 9421 §2.1). */
export type Fields = { readonly values: ReadonlyMap<string, string>; readonly hosts: number }

/** The parts of a request that a signature can name. */
export type RequestParts = {
  readonly method: string
  readonly authority: string
  readonly path: string
  /** The query with its question mark, or undefined when the target has none. */
  readonly query: string | undefined
  readonly hasBody: boolean
  readonly fields: Fields
}

/** Gathers the header list. */
export function collectFields(headers: VerifyRequestMessage['headers']): Fields {
  const values = new Map<string, string>()
  let hosts = 0
  for (const [rawName, rawValue] of headers) {
    const name = rawName.toLowerCase()
    const value = trimBlank(rawValue)
    const earlier = values.get(name)
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
    if (name === 'host') hosts += 1
  }
  return { values, hosts }
}

/** Only spaces and tabs surround a value on the wire; any other blank belongs to it. */
function trimBlank(value: string): string {
  const first = value.charCodeAt(0)
  const last = value.charCodeAt(value.length - 1)
  return first <= 32 || last <= 32 ? value.replace(/^[\t ]+|[\t ]+$/g, '') : value
}

/** Lowercase, without the default port of either scheme; nothing else is repaired. */
export function normalizeAuthority(authority: string): string {
  return authority.toLowerCase().replace(/:(?:443|80)$/, '')
}

/** The authority the request names, or undefined unless exactly one Host names one that is served. */
export function servedAuthority(fields: Fields, authorities: readonly string[]): string | undefined {
  const host = fields.hosts === 1 ? fields.values.get('host') : undefined
  if (host === undefined || host === '') return undefined
  const authority = normalizeAuthority(host)
  return authorities.some((served) => normalizeAuthority(served) === authority) ? authority : undefined
}

const methodShape = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/
const targetShape = /^\/(?!\/)[!-"$-[\]-~]*$/

/**
 * Splits method and target. Only an origin-form target that a URL parser leaves as it is passes: what was
 * signed, what is checked and what is routed are then the same characters.
 */
export function splitRequest(
  message: VerifyRequestMessage,
  fields: Fields,
  authority: string,
): RequestParts | { readonly code: VerifyRequestCode } {
  const { method, target, body } = message
  if (!methodShape.test(method) || !targetShape.test(target)) return { code: 'malformed_request' }
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (new URL(`http://host${path}`).pathname !== path) return { code: 'malformed_request' }
  return { method, authority, path, query: mark < 0 ? undefined : target.slice(mark), hasBody: body.length > 0, fields }
}
