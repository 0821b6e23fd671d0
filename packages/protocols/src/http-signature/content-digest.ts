import { sha256 } from '#sha256'
import { bytesToBase64 } from '../base64.ts'
import type { VerifyRequestCode } from './codes.ts'
import type { RequestParts } from './message.ts'

const digestShape = /^sha-256=:[A-Za-z0-9+/]{43}=:$/

/** The Content-Digest of a body (RFC 9530): one sha-256 member. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${bytesToBase64(sha256(body))}:`
}

/** Checks the digest against the raw body whenever one is present; the coverage rule requires it with a body. */
export function checkDigest(parts: RequestParts, body: Uint8Array): VerifyRequestCode | undefined {
  const value = parts.fields.values.get('content-digest')
  if (value === undefined) return undefined
  if (!digestShape.test(value)) return 'malformed_digest'
  // The bytes that were hashed must be the bytes that are read.
  if (parts.hasBody && parts.fields.values.has('content-encoding')) return 'content_encoding_not_allowed'
  return value === contentDigest(body) ? undefined : 'digest_mismatch'
}
