import type { Hex } from '../bytes.ts'

// The few calls and events read here have fixed layouts, so their data is joined from words, as hex without the
// prefix; a general encoder would cost memory and start time.

/** An unsigned integer as one word. */
export function uintWord(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

/** An address as one word. */
export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/** The tail of a dynamic `bytes`: its length, then its content padded to whole words. */
export function bytesTail(bytes: Hex): string {
  const body = bytes.slice(2)
  return uintWord(body.length / 2) + body.padEnd(Math.ceil(body.length / 64) * 64, '0')
}

/** An address as an indexed topic. */
export function addressTopic(address: string): Hex {
  return `0x${addressWord(address)}`
}

/** An unsigned integer as an indexed topic. */
export function uintTopic(value: bigint | number): Hex {
  return `0x${uintWord(value)}`
}

/** A word of call or event data, or undefined when the data ends before it. */
export function wordAt(data: unknown, index: number): bigint | undefined {
  const start = 2 + index * 64
  return typeof data === 'string' && data.length >= start + 64
    ? BigInt(`0x${data.slice(start, start + 64)}`)
    : undefined
}
