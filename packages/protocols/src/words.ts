import { hexToBytes, type Hex } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

/** A run of 32-byte words as Solidity's abi.encode lays out static values. */
export type Words = { readonly bytes: Uint8Array; readonly view: DataView }

/** Room for `count` words, all zero. */
export function createWords(count: number): Words {
  const bytes = new Uint8Array(32 * count)
  return { bytes, view: new DataView(bytes.buffer) }
}

/** Writes an unsigned integer of at most `bits` bits. Throws ProtocolError `malformed` when it does not fit. */
export function putUint(words: Words, index: number, value: bigint | number, bits: number): void {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || value < 0) throw new ProtocolError('malformed', `not an unsigned integer`)
    if (bits < 53 && value >= 2 ** bits) throw new ProtocolError('malformed', `integer does not fit uint${bits}`)
    const at = 32 * index + 24
    words.view.setUint32(at, Math.floor(value / 4294967296))
    words.view.setUint32(at + 4, value % 4294967296)
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

function putWide(words: Words, index: number, value: bigint): void {
  let rest = value
  for (let at = 32 * index + 24; rest !== 0n; at -= 8) {
    words.view.setBigUint64(at, BigInt.asUintN(64, rest))
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
