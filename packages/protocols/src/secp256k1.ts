import { curve } from '#secp256k1'
import { bytesToHex, concatBytes, utf8, type Address } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import { ProtocolError } from './protocol-error.ts'

/** Half of the curve's order, big-endian: a canonical signature has s no greater. */
const halfOrder = Uint8Array.from([
  0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x5d, 0x57, 0x6e,
  0x73, 0x57, 0xa4, 0x50, 0x1d, 0xdf, 0xe9, 0x2f, 0x46, 0x68, 0x1b, 0x20, 0xa0,
])

/** Which implementation answers; `javascript` on a server means the native prebuild is missing. */
export function secp256k1Backend(): 'native' | 'javascript' {
  return curve.backend
}

/**
 * The address that made a signature, or undefined. Only the canonical form counts: 65 bytes r||s||v,
 * low s, v 27 or 28; the other forms of the same signature are refused, not repaired.
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array): Address | undefined {
  if (signature.length !== 65 || digest.length !== 32) return undefined
  const v = signature[64]
  if ((v !== 27 && v !== 28) || !isLowS(signature)) return undefined
  const key = curve.recover(signature.subarray(0, 64), v - 27, digest)
  return key === undefined ? undefined : addressOfPublicKey(key)
}

function isLowS(signature: Uint8Array): boolean {
  for (let at = 0; at < 32; at += 1) {
    const difference = (signature[32 + at] ?? 0) - (halfOrder[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return true
}

/** Signs 32 bytes: r||s||v, low s, v 27 or 28, deterministic (RFC 6979). Throws for an invalid key or digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  if (digest.length !== 32) throw new ProtocolError('malformed', 'a digest has 32 bytes')
  const { compact, recovery } = curve.sign(digest, privateKey)
  const signature = new Uint8Array(65)
  signature.set(compact)
  signature[64] = 27 + recovery
  return signature
}

/** The address a private key controls. Throws for a key outside the curve's order. */
export function addressOf(privateKey: Uint8Array): Address {
  return addressOfPublicKey(curve.publicKey(privateKey))
}

function addressOfPublicKey(key: Uint8Array): Address {
  return bytesToHex(keccak256(key.subarray(1)).subarray(12))
}

/** The EIP-191 digest a wallet signs for a message; a text is taken as UTF-8. */
export function hashMessage(message: Uint8Array | string): Uint8Array {
  const bytes = typeof message === 'string' ? utf8(message) : message
  const prefix = `\u0019Ethereum Signed Message:\n${bytes.length}`
  // A text of ASCII alone is as long as its bytes, and is written in one go.
  return keccak256(
    message.length === bytes.length && typeof message === 'string'
      ? utf8(prefix + message)
      : concatBytes(utf8(prefix), bytes),
  )
}
