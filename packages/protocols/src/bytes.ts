import { ProtocolError } from './protocol-error.ts'

/** Bytes as lowercase or mixed-case hex with the 0x prefix. */
export type Hex = `0x${string}`
/** A 20-byte account address as hex. Every function answers addresses in lowercase. */
export type Address = Hex

const digits = '0123456789abcdef'
const addressShape = /^0x[0-9a-fA-F]{40}$/
const hex32Shape = /^0x[0-9a-fA-F]{64}$/

/** The address no key controls. */
export const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

const encoder = new TextEncoder()

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The bytes a hex string names. Throws ProtocolError `malformed` for an odd length or a foreign digit. */
export function hexToBytes(hex: Hex): Uint8Array {
  if (!hex.startsWith('0x') || hex.length % 2 !== 0) {
    throw new ProtocolError('malformed', 'hex must start with 0x and hold whole bytes')
  }
  const bytes = new Uint8Array(hex.length / 2 - 1)
  for (let at = 0; at < bytes.length; at += 1) {
    // What is no digit is -1, and makes the whole negative.
    const byte = (nibble(hex.charCodeAt(2 * at + 2)) << 4) | nibble(hex.charCodeAt(2 * at + 3))
    if (byte < 0) throw new ProtocolError('malformed', 'hex holds a character that is no hex digit')
    bytes[at] = byte
  }
  return bytes
}

/** By the code of a character: its digit, or -1. */
const nibbles = Int8Array.from({ length: 128 }, (_, code) => digits.indexOf(String.fromCharCode(code).toLowerCase()))

function nibble(code: number): number {
  return nibbles[code] ?? -1
}

const pairs: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => digits.charAt(byte >> 4) + digits.charAt(byte & 15),
)

/** Lowercase hex of bytes. */
export function bytesToHex(bytes: Uint8Array): Hex {
  let hex = ''
  for (let at = 0; at < bytes.length; at += 1) hex += pairs[bytes[at] ?? 0] ?? ''
  return `0x${hex}`
}

/** Whether a value is a 20-byte hex address, in any case; a checksum is not checked. */
export function isAddress(x: unknown): x is Address {
  return typeof x === 'string' && addressShape.test(x)
}

/** Whether two addresses name the same account, whatever their case. */
export function sameAddress(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

/** The lowercase form of an address. Throws ProtocolError `malformed` when it is none. */
export function lowerAddress(a: string): Address {
  if (!isAddress(a)) throw new ProtocolError('malformed', 'not a 20-byte hex address')
  // A lowercased address keeps the shape that isAddress has just proved.
  return a.toLowerCase() as Address
}

/** Whether a value is 32 bytes of hex, such as a hash or a nonce. */
export function isHex32(x: unknown): x is Hex {
  return typeof x === 'string' && hex32Shape.test(x)
}

/** One array of all the bytes in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
