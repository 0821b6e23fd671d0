import type { Address, Hex } from '@ergon/protocols'

/** ABI words as hex without the prefix, so that calldata is built by joining strings. */
export function uintWord(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

export function addressWord(address: Address): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/** The tail of a dynamic `bytes`: its length, then its content padded to whole words. */
export function bytesTail(bytes: Hex): string {
  const body = bytes.slice(2)
  return uintWord(body.length / 2) + body.padEnd(Math.ceil(body.length / 64) * 64, '0')
}

export function wordAt(data: Hex, index: number): bigint | undefined {
  const start = 2 + index * 64
  return data.length >= start + 64 ? BigInt(`0x${data.slice(start, start + 64)}`) : undefined
}

/** An address as an indexed topic. */
export function addressTopic(address: Address): Hex {
  return `0x${addressWord(address)}`
}

export function uintTopic(value: bigint | number): Hex {
  return `0x${uintWord(value)}`
}
