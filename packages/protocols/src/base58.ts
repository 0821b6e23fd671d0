import { bytesToHex, hexToBytes } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Decoding is quadratic; nothing read here is longer than a signature of 64 bytes. */
const maxChars = 88

/** The most digits whose value a number holds exactly: big integers are divided once for nine digits. */
const group = 9
const groupValue = 58n ** BigInt(group)

/** Base58 as Bitcoin and Solana write it. */
export function toBase58(bytes: Uint8Array): string {
  let text = ''
  for (let value = toInteger(bytes); value > 0n; value /= groupValue) text = digitsOf(value % groupValue) + text
  return '1'.repeat(leading(bytes, 0)) + text.replace(/^1+/, '')
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes))
}

function digitsOf(part: bigint): string {
  let text = ''
  for (let count = 0, rest = Number(part); count < group; count += 1, rest = Math.floor(rest / 58))
    text = alphabet.charAt(rest % 58) + text
  return text
}

/** @throws ProtocolError */
export function fromBase58(text: string, mostChars: number = maxChars): Uint8Array {
  if (text.length > mostChars) throw new ProtocolError('malformed', 'base58 text is too long')
  let value = 0n
  for (let at = 0; at < text.length; at += group) {
    const digits = text.slice(at, at + group)
    value = value * 58n ** BigInt(digits.length) + BigInt(valueOf(digits))
  }
  const zeros = leading(text, '1')
  const hex = value === 0n ? '' : value.toString(16)
  const bytes = new Uint8Array(zeros + Math.ceil(hex.length / 2))
  bytes.set(hexToBytes(`0x${hex.length % 2 === 0 ? hex : `0${hex}`}`), zeros)
  return bytes
}

function valueOf(digits: string): number {
  let value = 0
  for (const char of digits) {
    const digit = alphabet.indexOf(char)
    if (digit < 0) throw new ProtocolError('malformed', 'base58 text has a character outside its alphabet')
    value = value * 58 + digit
  }
  return value
}

function leading<T>(items: ArrayLike<T>, item: T): number {
  let count = 0
  while (count < items.length && items[count] === item) count += 1
  return count
}
