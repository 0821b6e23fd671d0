import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bytesToHex,
  hexToBytes,
  keccak256,
  loadFastKeccak,
  recoverAddress,
  secp256k1Backend,
  signDigest,
} from '../src/index.ts'
import { curve as portable } from '../src/curve/javascript.ts'
import { curve as native } from '../src/curve/native.ts'
import { sha256 as portableSha } from '../src/sha256/javascript.ts'
import { sha256 as nativeSha } from '../src/sha256/native.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint): Uint8Array => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`)
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const key = bytes32.filter((bytes) => BigInt(bytesToHex(bytes)) > 0n && BigInt(bytesToHex(bytes)) < order)
const edges = [0n, 1n, 2n, order / 2n, order / 2n + 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n].map(word)
const scalar = fc.oneof(bytes32, fc.constantFrom(...edges))

test('a server uses the native curve', () => {
  expect(secp256k1Backend()).toBe('native')
  expect([native.backend, portable.backend]).toEqual(['native', 'javascript'])
})

describe('the native and the portable curve answer the same', () => {
  test('when they sign', () => {
    fc.assert(
      fc.property(bytes32, key, (digest, secret) => {
        const [a, b] = [native.sign(digest, secret), portable.sign(digest, secret)]
        expect([bytesToHex(a.compact), a.recovery]).toEqual([bytesToHex(b.compact), b.recovery])
        expect(bytesToHex(native.publicKey(secret))).toBe(bytesToHex(portable.publicKey(secret)))
      }),
      { numRuns: 60 },
    )
  })

  test('when they recover from any r, s and recovery id, edges included', () => {
    fc.assert(
      fc.property(scalar, scalar, fc.constantFrom(0, 1), scalar, (r, s, recovery, digest) => {
        const compact = Uint8Array.from([...r, ...s])
        const [a, b] = [native.recover(compact, recovery, digest), portable.recover(compact, recovery, digest)]
        expect(a && bytesToHex(a)).toEqual(b && bytesToHex(b))
      }),
      { numRuns: 300 },
    )
  })

  test('and so do both implementations of SHA-256 and of keccak', async () => {
    const inputs = fc.sample(fc.uint8Array({ maxLength: 600 }), 50)
    const slow = inputs.map((input) => bytesToHex(keccak256(input)))
    await loadFastKeccak()
    expect(inputs.map((input) => bytesToHex(keccak256(input)))).toEqual(slow)
    for (const input of inputs) expect(bytesToHex(nativeSha(input))).toBe(bytesToHex(portableSha(input)))
  })
})

describe('recoverAddress accepts the canonical form only', () => {
  const secret = new Uint8Array(32).fill(7)
  const digest = keccak256(Uint8Array.of(1, 2, 3))
  const good = signDigest(digest, secret)
  const signer = recoverAddress(digest, good)
  const withV = (v: number): Uint8Array => Uint8Array.from([...good.subarray(0, 64), v])

  test('a signature of 65 bytes with low s and v 27 or 28 names its signer', () => {
    expect(signer).toMatch(/^0x[0-9a-f]{40}$/)
    fc.assert(
      fc.property(bytes32, key, (d, k) => recoverAddress(d, signDigest(d, k)) !== undefined),
      { numRuns: 30 },
    )
  })

  test('v 0, 1, 2, 29 and 255 are refused', () => {
    for (const v of [0, 1, 2, 3, 26, 29, 30, 255]) expect(recoverAddress(digest, withV(v))).toBeUndefined()
  })

  test('the same signature with high s is refused', () => {
    const s = order - BigInt(bytesToHex(good.subarray(32, 64)))
    const high = Uint8Array.from([...good.subarray(0, 32), ...word(s), good[64] === 27 ? 28 : 27])
    expect(native.recover(high.subarray(0, 64), (high[64] ?? 0) - 27, digest)).toBeDefined()
    expect(recoverAddress(digest, high)).toBeUndefined()
  })

  test('zero r, zero s, 64 and 66 bytes and a short digest are refused', () => {
    const zero = new Uint8Array(32)
    expect(recoverAddress(digest, Uint8Array.from([...zero, ...good.subarray(32)]))).toBeUndefined()
    expect(recoverAddress(digest, Uint8Array.from([...good.subarray(0, 32), ...zero, 27]))).toBeUndefined()
    expect(recoverAddress(digest, good.subarray(0, 64))).toBeUndefined()
    expect(recoverAddress(digest, Uint8Array.from([...good, 0]))).toBeUndefined()
    expect(recoverAddress(digest.subarray(1), good)).toBeUndefined()
  })
})
