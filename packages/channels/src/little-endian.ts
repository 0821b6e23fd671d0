import { ProtocolError } from '@ergon/protocols'

const widths = { u16: 2, u32: 4, u64: 8, i64: 8 } as const

export function u16(value: number): Uint8Array {
  return unsigned(BigInt(value), widths.u16)
}

export function u32(value: number): Uint8Array {
  return unsigned(BigInt(value), widths.u32)
}

export function u64(value: bigint): Uint8Array {
  return unsigned(value, widths.u64)
}

export function i64(value: bigint): Uint8Array {
  if (BigInt.asIntN(64, value) !== value) throw outOfRange(value, 'a signed 64-bit number')
  return unsigned(BigInt.asUintN(64, value), widths.i64)
}

/** Reads fields one after the other; whoever reads past the end is refused. */
export type FieldReader = {
  readonly u8: () => number
  readonly u16: () => number
  readonly u32: () => number
  readonly u64: () => bigint
  readonly i64: () => bigint
  readonly bytes: (length: number) => Uint8Array
  /** How many bytes are left. */
  readonly left: () => number
}

export function readFields(data: Uint8Array): FieldReader {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let next = 0
  const take = (length: number): number => {
    if (next + length > data.length)
      throw new ProtocolError('malformed', `${data.length} bytes end in the middle of a field`)
    next += length
    return next - length
  }
  return {
    u8: () => view.getUint8(take(1)),
    u16: () => view.getUint16(take(2), true),
    u32: () => view.getUint32(take(4), true),
    u64: () => view.getBigUint64(take(8), true),
    i64: () => view.getBigInt64(take(8), true),
    bytes: (length) => {
      const start = take(length)
      return data.slice(start, start + length)
    },
    left: () => data.length - next,
  }
}

function unsigned(value: bigint, width: number): Uint8Array {
  if (BigInt.asUintN(width * 8, value) !== value) throw outOfRange(value, `an unsigned ${width * 8}-bit number`)
  return Uint8Array.from({ length: width }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

function outOfRange(value: bigint, expected: string): ProtocolError {
  return new ProtocolError('malformed', `${value} is not ${expected}`)
}
