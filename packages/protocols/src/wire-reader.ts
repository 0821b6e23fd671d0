import { isAddress, isHex32, lowerAddress, type Address, type Hex } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

/** An object read from JSON whose members are still unknown. */
export type WireRecord = Readonly<Record<string, unknown>>

/** Refuses a value with a `malformed` error that names its path. */
export function refuse(path: string, expected: string): never {
  throw new ProtocolError('malformed', `${path} must be ${expected}`)
}

/** A plain object. With `keys`, exactly those plus `optional` ones; a foreign key is refused. */
export function readRecord(
  value: unknown,
  path: string,
  keys?: readonly string[],
  optional: readonly string[] = [],
): WireRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'an object')
  // A non-null object that is no array; its members stay unknown until read.
  const record = value as WireRecord
  if (keys !== undefined) {
    for (const key of keys) if (!Object.hasOwn(record, key)) refuse(`${path}.${key}`, 'present')
    for (const key of Object.keys(record)) {
      if (!keys.includes(key) && !optional.includes(key)) refuse(`${path}.${key.slice(0, 40).toWellFormed()}`, 'absent')
    }
  }
  return record
}

/** JSON of at most `limit` characters, or a value that was parsed already. */
export function readJson(value: unknown, path: string, limit: number): unknown {
  if (typeof value !== 'string') return value
  if (value.length > limit) refuse(path, `at most ${limit} characters`)
  try {
    return JSON.parse(value)
  } catch {
    return refuse(path, 'JSON')
  }
}

/** A text of at most `limit` characters. */
export function readText(value: unknown, path: string, limit = 2048): string {
  if (typeof value !== 'string' || value.length > limit) refuse(path, `a text of at most ${limit} characters`)
  return value
}

/** An address in any case, answered in lowercase. */
export function readAddress(value: unknown, path: string): Address {
  return isAddress(value) ? lowerAddress(value) : refuse(path, 'an address of 20 bytes in hex')
}

/** 32 bytes of hex, answered in lowercase. */
export function readHex32(value: unknown, path: string): Hex {
  // Lowercasing keeps the shape that isHex32 has proved.
  return isHex32(value) ? (value.toLowerCase() as Hex) : refuse(path, '32 bytes in hex')
}

/** Hex of whole bytes, at most `maxBytes`. */
export function readHex(value: unknown, path: string, maxBytes: number): Hex {
  if (typeof value !== 'string' || value.length > 2 + 2 * maxBytes || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) {
    refuse(path, `hex of at most ${maxBytes} bytes`)
  }
  // The expression above has proved the shape.
  return value.toLowerCase() as Hex
}

/** An unsigned integer as canonical decimal text: no sign, no leading zero, at most `bits` wide. */
export function readDecimal(value: unknown, path: string, bits = 256): bigint {
  if (typeof value !== 'string' || !/^(?:0|[1-9][0-9]{0,77})$/.test(value)) refuse(path, 'a decimal integer as text')
  const integer = BigInt(value)
  return integer >> BigInt(bits) === 0n ? integer : refuse(path, `an integer that fits uint${bits}`)
}

/** A JSON number that is an integer between 0 and `max`. */
export function readCount(value: unknown, path: string, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max) {
    refuse(path, `an integer from 0 to ${max}`)
  }
  return value
}
