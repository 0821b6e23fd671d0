import { isAddress, isHex32, type Address, type Hex } from '@ergon/protocols'
import { Refusal } from '../errors.ts'

export type WireRecord = Readonly<Record<string, unknown>>

export function malformed(path: string, expected: string): Refusal {
  return new Refusal('invalid_payload', `${path} must be ${expected}`)
}

/** An object with no other keys than these: an unknown field is a caller's mistake that money must not hide. */
export function readRecord(value: unknown, path: string, keys: ReadonlySet<string>): WireRecord {
  const record = readOpenRecord(value, path)
  for (const key in record) {
    if (!keys.has(key)) throw new Refusal('invalid_payload', `unknown field ${path}.${key.slice(0, 64)}`)
  }
  return record
}

export function readOpenRecord(value: unknown, path: string): WireRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(path, 'an object')
  // A non-null, non-array object is a record of unknowns.
  return value as WireRecord
}

export function readText(value: unknown, path: string, maxLength = 512): string {
  if (typeof value !== 'string' || value.length > maxLength)
    throw malformed(path, `a text of at most ${maxLength} characters`)
  return value
}

export function readOptionalText(value: unknown, path: string, maxLength = 512): string | undefined {
  return value === undefined ? undefined : readText(value, path, maxLength)
}

/** Lowercase. */
export function readAddress(value: unknown, path: string): Address {
  if (!isAddress(value)) throw malformed(path, 'an address of 20 bytes in hex')
  // Lowercasing keeps the 0x prefix that isAddress saw.
  return value.toLowerCase() as Address
}

export function readHex32(value: unknown, path: string): Hex {
  if (!isHex32(value)) throw malformed(path, '32 bytes in hex')
  // As above.
  return value.toLowerCase() as Hex
}

const hexBytes = /^0x(?:[0-9a-fA-F]{2})*$/

export function readHex(value: unknown, path: string, maxBytes: number): Hex {
  if (typeof value !== 'string' || value.length > 2 + maxBytes * 2 || !hexBytes.test(value))
    throw malformed(path, `at most ${maxBytes} bytes in hex`)
  // Tested above.
  return value.toLowerCase() as Hex
}

const decimal = /^(?:0|[1-9][0-9]{0,77})$/

/** A decimal string without sign, point or leading zeros. */
export function readUint(value: unknown, path: string, bits = 256): bigint {
  if (typeof value !== 'string' || !decimal.test(value)) throw malformed(path, 'a decimal string')
  const number = BigInt(value)
  if (number >> BigInt(bits) !== 0n) throw malformed(path, `at most ${bits} bits`)
  return number
}

export function readInteger(value: unknown, path: string, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max)
    throw malformed(path, `an integer from 0 to ${max}`)
  return value
}

export function readList(value: unknown, path: string, maxLength: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxLength) throw malformed(path, `a list of at most ${maxLength} entries`)
  // Array.isArray gives any[].
  return value as unknown[]
}
