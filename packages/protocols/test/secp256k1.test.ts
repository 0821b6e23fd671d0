import { expect, test } from 'vitest'
import { addressOf, bytesToHex, hashMessage, hexToBytes, recoverAddress, signDigest, utf8 } from '../src/index.ts'

const key = new Uint8Array(32).fill(0x42)
const digest = hashMessage('a text')
const signature = signDigest(digest, key)
/** Half of the order of the curve: SEC 2, §2.4.1. */
const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

function withS(s: bigint): Uint8Array {
  const changed = Uint8Array.from(signature)
  changed.set(hexToBytes(`0x${s.toString(16).padStart(64, '0')}`), 32)
  return changed
}

test('the half of the order is the greatest s that counts', () => {
  // Nearly every pair of r and s is the signature of some key.
  expect(recoverAddress(digest, withS(half))).toMatch(/^0x[0-9a-f]{40}$/)
  expect(recoverAddress(digest, withS(half + 1n))).toBeUndefined()
})

test.each(Array.from({ length: 32 }, (_, at) => at))('an s that is greater in byte %i alone is high', (at) => {
  const one = 1n << BigInt(8 * (31 - at))
  expect(recoverAddress(digest, withS(half + one))).toBeUndefined()
  expect(recoverAddress(digest, withS(half - one))).toBeDefined()
})

test('a signature is 65 bytes over 32, and says 27 or 28', () => {
  expect(recoverAddress(digest, signature)).toBe(addressOf(key))
  expect([27, 28]).toContain(signature[64])
  expect(recoverAddress(digest.slice(1), signature)).toBeUndefined()
  expect(recoverAddress(digest, signature.slice(1))).toBeUndefined()
  expect(recoverAddress(digest, Uint8Array.of(...signature, 0))).toBeUndefined()
  for (const v of [0, 1, 26, 29]) expect(recoverAddress(digest, signature.with(64, v)), String(v)).toBeUndefined()
  expect(() => signDigest(digest.slice(1), key)).toThrow('a digest has 32 bytes')
})

test('a message is hashed as its bytes, a text of more than ASCII as well', () => {
  for (const text of ['', 'a', 'Grüße', '\u{1f600}', 'x'.repeat(1_000)])
    expect(bytesToHex(hashMessage(text)), text).toBe(bytesToHex(hashMessage(utf8(text))))
  // EIP-191's own prefix, with the length in bytes.
  expect(bytesToHex(hashMessage('Grüße'))).not.toBe(bytesToHex(hashMessage('Gruesse')))
})
