import * as wire from '@ergon/protocols'
import { Refusal } from '../errors.ts'

export type { WireRecord } from '@ergon/protocols'

export function malformed(path: string, expected: string): Refusal {
  return new Refusal('invalid_payload', `${path} must be ${expected}`)
}

/** What a reader of the protocols finds malformed, as this service refuses it. */
export function refusing<Answer>(read: () => Answer): Answer {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof wire.ProtocolError)) throw error
    throw new Refusal('invalid_payload', error.message, { cause: error })
  }
}

/** An object with no other keys than these: an unknown field is a caller's mistake that money must not hide. */
export function readRecord(value: unknown, path: string, keys: readonly string[]): wire.WireRecord {
  return refusing(() => wire.readRecord(value, path, [], keys))
}

export function readOpenRecord(value: unknown, path: string): wire.WireRecord {
  return refusing(() => wire.readRecord(value, path))
}

/** A text that the store and a chain keep as it is: neither has a place for NUL or for half a character. */
export function readText(value: unknown, path: string, maxLength = 512): string {
  const text = refusing(() => wire.readText(value, path, maxLength))
  if (text.includes('\0') || !text.isWellFormed()) throw malformed(path, 'a text of whole characters, without NUL')
  return text
}

export function readOptionalText(value: unknown, path: string, maxLength = 512): string | undefined {
  return value === undefined ? undefined : readText(value, path, maxLength)
}

/** Lowercase. */
export function readAddress(value: unknown, path: string): wire.Address {
  return refusing(() => wire.readAddress(value, path))
}

/** Lowercase. */
export function readHex32(value: unknown, path: string): wire.Hex {
  return refusing(() => wire.readHex32(value, path))
}

/** Lowercase. */
export function readHex(value: unknown, path: string, maxBytes: number): wire.Hex {
  return refusing(() => wire.readHex(value, path, maxBytes))
}

/** A decimal string without sign, point or leading zeros. */
export function readUint(value: unknown, path: string, bits = 256): bigint {
  return refusing(() => wire.readDecimal(value, path, bits))
}

export function readInteger(value: unknown, path: string, max = Number.MAX_SAFE_INTEGER): number {
  return refusing(() => wire.readCount(value, path, max))
}

export function readList(value: unknown, path: string, maxLength: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxLength) throw malformed(path, `a list of at most ${maxLength} entries`)
  // Array.isArray gives any[].
  return value as unknown[]
}
