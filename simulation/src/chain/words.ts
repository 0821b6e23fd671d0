import type { Address, Hex } from '@ergon/protocols'

// Calldata and logs stay hex strings: slicing a string is cheaper than decoding bytes, and nodes answer strings.

/** One ABI word without prefix. */
export function uintWord(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

export function addressWord(address: string): string {
  return address.slice(2).padStart(64, '0')
}

/** The tail of a dynamic `bytes` or string: its length, then its content in whole words. */
export function bytesTail(hex: string): string {
  return uintWord(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
}

/** Reads the arguments of a call: words after the selector. Missing words read as nothing, and the call reverts. */
export type Arguments = {
  readonly data: Hex
  raw(index: number): string
  uint(index: number): bigint
  address(index: number): Address
  /** The dynamic bytes whose offset is at `index`, without prefix. */
  bytes(index: number): string
}

/** A call whose arguments do not decode: Solidity reverts without data. */
export class Undecodable extends Error {}

export function argumentsOf(data: Hex): Arguments {
  const raw = (index: number): string => {
    const start = 10 + index * 64
    if (data.length < start + 64) throw new Undecodable()
    return data.slice(start, start + 64)
  }
  const uint = (index: number): bigint => BigInt(`0x${raw(index)}`)
  return {
    data,
    raw,
    uint,
    address(index) {
      const word = raw(index)
      if (!word.startsWith('000000000000000000000000')) throw new Undecodable()
      return `0x${word.slice(24)}`
    },
    bytes(index) {
      const offset = Number(uint(index))
      const start = 10 + offset * 2
      const length = Number(BigInt(`0x${data.slice(start, start + 64) || '0'}`))
      const body = data.slice(start + 64, start + 64 + length * 2)
      if (body.length !== length * 2) throw new Undecodable()
      return body
    },
  }
}
