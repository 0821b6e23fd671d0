import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase58, hexToBytes, isSignedByEd25519, ProtocolError, toBase58, utf8 } from '../src/index.ts'

describe('base58', () => {
  test.each([
    ['0x', ''],
    ['0x00', '1'],
    ['0x0000287fb4cd', '11233QC4'],
    ['0x48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
    [`0x${'00'.repeat(32)}`, '1'.repeat(32)],
  ] as const)('%s is written %s', (hex, text) => {
    expect(toBase58(hexToBytes(hex))).toBe(text)
    expect(fromBase58(text)).toEqual(hexToBytes(hex))
  })

  test('what is written is read back, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(fromBase58(toBase58(bytes))).toEqual(bytes)
      }),
    )
  })

  test.each(['0', 'O', 'I', 'l', ' ', 'a'.repeat(89)])('%j is no base58 of what is read here', (text) => {
    expect(() => fromBase58(text)).toThrow(ProtocolError)
  })
})

describe('ed25519', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const message = utf8('a text')
  const signature = new Uint8Array(sign(null, message, privateKey))

  test('a signature by the key of another implementation is known', () => {
    expect(isSignedByEd25519(message, signature, key)).toBe(true)
  })

  test('no other bit of it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('message', 'signature', 'key'), fc.nat(511), (part, bit) => {
        const flipped = (bytes: Uint8Array): Uint8Array =>
          bytes.map((byte, index) => (index === (bit >> 3) % bytes.length ? byte ^ (1 << (bit & 7)) : byte))
        const parts = { message, signature, key }
        const changed = { ...parts, [part]: flipped(parts[part]) }
        expect(isSignedByEd25519(changed.message, changed.signature, changed.key)).toBe(false)
      }),
    )
  })

  test('a key of small order signs nothing', () => {
    for (const point of ['01' + '00'.repeat(31), '00'.repeat(32), 'ec' + 'ff'.repeat(30) + '7f'] as const) {
      expect(
        isSignedByEd25519(message, Uint8Array.from([1, ...Array<number>(63).fill(0)]), hexToBytes(`0x${point}`)),
      ).toBe(false)
    }
  })
})
