import { hexToBytes, type Hex } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

/** A run of 32-byte words as Solidity's abi.encode lays out static values. */
export type Words = { readonly bytes: Uint8Array }

/** Room for `count` words, all zero. */
export function createWords(count: number): Words {
  return { bytes: new Uint8Array(32 * count) }
}

/** The same room again, all zero: for a digest that is taken before anybody else writes into it. */
export function cleared(words: Words): Words {
  words.bytes.fill(0)
  return words
}

/** Writes an unsigned integer of at most `bits` bits. Throws ProtocolError `malformed` when it does not fit. */
export function putUint(words: Words, index: number, value: bigint | number, bits: number): void {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || value < 0) throw new ProtocolError('malformed', `not an unsigned integer`)
    if (bits < 53 && value >= 2 ** bits) throw new ProtocolError('malformed', `integer does not fit uint${bits}`)
    const at = 32 * index + 24
    putWord32(words.bytes, at, Math.floor(value / 4294967296))
    putWord32(words.bytes, at + 4, value >>> 0)
    return
  }
  if (value < 0n || value >> BigInt(bits) !== 0n)
    throw new ProtocolError('malformed', `integer does not fit uint${bits}`)
  putWide(words, index, value)
}

/** Writes a signed integer in two's complement. Throws ProtocolError `malformed` when it does not fit. */
export function putInt(words: Words, index: number, value: bigint, bits: number): void {
  if (BigInt.asIntN(bits, value) !== value) throw new ProtocolError('malformed', `integer does not fit int${bits}`)
  putWide(words, index, BigInt.asUintN(256, value))
}

function putWord32(bytes: Uint8Array, at: number, word: number): void {
  // A Uint8Array keeps the low eight bits of what is written into it.
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

const wide = new DataView(new ArrayBuffer(8))
const wideBytes = new Uint8Array(wide.buffer)

function putWide(words: Words, index: number, value: bigint): void {
  let rest = value
  for (let at = 32 * index + 24; rest !== 0n; at -= 8) {
    wide.setBigUint64(0, BigInt.asUintN(64, rest))
    words.bytes.set(wideBytes, at)
    rest >>= 64n
  }
}

/** Writes an address, right-aligned. */
export function putAddress(words: Words, index: number, address: Hex): void {
  const bytes = hexToBytes(address)
  if (bytes.length !== 20) throw new ProtocolError('malformed', 'an address has 20 bytes')
  words.bytes.set(bytes, 32 * index + 12)
}

/** Writes 32 bytes given as hex or as bytes. */
export function putBytes32(words: Words, index: number, value: Hex | Uint8Array): void {
  const bytes = typeof value === 'string' ? hexToBytes(value) : value
  if (bytes.length !== 32) throw new ProtocolError('malformed', 'expected 32 bytes')
  words.bytes.set(bytes, 32 * index)
}
