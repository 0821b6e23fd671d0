import { ProtocolError } from './protocol-error.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Decoding is quadratic; nothing read here is longer than a signature of 64 bytes. */
const maxChars = 88

/** Base58 as Bitcoin and Solana write it. */
export function toBase58(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text
  return '1'.repeat(leading(bytes, 0)) + text
}

/** @throws ProtocolError */
export function fromBase58(text: string): Uint8Array {
  if (text.length > maxChars) throw new ProtocolError('malformed', 'base58 text is too long')
  let value = 0n
  for (const char of text) {
    const digit = alphabet.indexOf(char)
    if (digit < 0) throw new ProtocolError('malformed', 'base58 text has a character outside its alphabet')
    value = value * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn))
  return Uint8Array.from([...Array<number>(leading([...text], '1')).fill(0), ...bytes])
}

function leading<T>(items: ArrayLike<T>, item: T): number {
  let count = 0
  while (count < items.length && items[count] === item) count += 1
  return count
}
