import { hexToBytes, signDigest, unwrapSignature, type Hex } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import type { RpcAnswer, RpcRequest } from '../../src/chain/rpc-client.ts'
import { Unavailable } from '../../src/errors.ts'
import { payer, sign, stranger } from '../../src/testing/payments.ts'
import { askContract, isSignedBy, isSignedByContract } from '../../src/verify/signature.ts'
import { readSignature } from '../../src/wire/authorization.ts'

const digest = new Uint8Array(32).fill(5)
const signature = sign(digest, payer.privateKey)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The other s of the same signature, which a chain refuses. */
const malleable = (): Hex => {
  const bytes = signDigest(digest, hexToBytes(payer.privateKey))
  const hex = (part: Uint8Array): string => Buffer.from(part).toString('hex')
  const s = order - BigInt(`0x${hex(bytes.subarray(32, 64))}`)
  const v = bytes[64] === 27 ? '1c' : '1b'
  return `0x${hex(bytes.subarray(0, 32))}${s.toString(16).padStart(64, '0')}${v}`
}

describe("a key's signature", () => {
  test('is of its signer, as 65 bytes in the one form that a chain takes', () => {
    expect(isSignedBy(digest, signature, payer.address)).toBe(true)
    expect(isSignedBy(digest, signature, stranger.address)).toBe(false)
    expect(isSignedBy(new Uint8Array(32), signature, payer.address)).toBe(false)
    expect(isSignedBy(digest, malleable(), payer.address)).toBe(false)
    // Cut and longer by a byte.
    expect(isSignedBy(digest, signature.slice(0, -2) as Hex, payer.address)).toBe(false)
    expect(isSignedBy(digest, `${signature}00`, payer.address)).toBe(false)
    expect(isSignedBy(digest, '0x', payer.address)).toBe(false)
  })
})

const yes = '0x1626ba7e'
const asked = async (...answers: readonly unknown[]) => {
  const requests: RpcRequest[] = []
  const batch = (all: readonly RpcRequest[]): Promise<RpcAnswer[]> => {
    requests.push(...all)
    // As a node may answer.
    return Promise.resolve(answers as RpcAnswer[])
  }
  const word = await askContract({ batch }, digest, '0x1234', payer.address)
  return { word, requests }
}
const code = { result: '0x60' }

describe("a contract's word for a signature", () => {
  test('is asked for with little gas, of the wallet itself', async () => {
    const { requests } = await asked(code, { result: `${yes}${'0'.repeat(56)}` })
    expect(requests[0]).toEqual({ method: 'eth_getCode', params: [payer.address, 'latest'] })
    expect(requests[1]).toMatchObject({
      method: 'eth_call',
      params: [{ to: payer.address, gas: '0x2dc6c0' }, 'latest'],
    })
  })

  test.each<readonly [what: string, word: string, answers: readonly unknown[]]>([
    ['that is the magic value', 'signed', [code, { result: `${yes}${'0'.repeat(56)}` }]],
    ['that is the magic value and more', 'signed', [code, { result: `${yes}${'0'.repeat(120)}` }]],
    ['that is cut short', 'not-signed', [code, { result: `${yes}${'0'.repeat(55)}` }]],
    ['that is another value', 'not-signed', [code, { result: `0xffffffff${'0'.repeat(56)}` }]],
    ['that is no text', 'not-signed', [code, { result: 5 }]],
    ['that ends in a revert', 'not-signed', [code, { error: { code: 3, message: '' } }]],
    [
      'that ends in a revert by its text',
      'not-signed',
      [code, { error: { code: -32000, message: 'execution reverted' } }],
    ],
    ['that burns its gas', 'not-signed', [code, { error: { code: -32000, message: 'out of gas' } }]],
    ['of an address without code', 'nobody', [{ result: '0x' }, { result: `${yes}${'0'.repeat(56)}` }]],
    ['of an address whose code is no text', 'nobody', [{ result: null }, { result: '0x' }]],
  ])('%s is %s', async (_what, word, answers) => {
    expect((await asked(...answers)).word).toBe(word)
  })

  test.each<readonly [what: string, answers: readonly unknown[]]>([
    ['tells no code', [{ error: { code: -32000, message: 'busy' } }, { result: '0x' }]],
    ['tells nothing', []],
    ['did not ask', [code]],
    ['complains of itself', [code, { error: { code: -32005, message: 'limit exceeded' } }]],
  ])('is unknown where the node %s', async (_what, answers) => {
    await expect(asked(...answers)).rejects.toThrow(Unavailable)
  })

  test('counts where it is yes alone', async () => {
    const batch = (result: string) => ({ batch: () => Promise.resolve([code, { result }]) })
    const said = (result: string) => isSignedByContract(batch(result), digest, '0x', payer.address)
    expect([await said(`${yes}${'0'.repeat(56)}`), await said('0x')]).toEqual([true, false])
  })
})

describe('a signature that is read', () => {
  const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')
  const magic = '6492'.repeat(16)
  const factory = stranger.address
  const tail = (hex: string): string => word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
  const wrapped: Hex = `0x${factory.slice(2).padStart(64, '0')}${word(96)}${word(160)}${tail('abcd')}${tail('1234')}${magic}`

  test('is as long as its wallet makes it, and no longer than 8,192 bytes', () => {
    expect(readSignature(`0x${'AB'.repeat(8_192)}`)).toEqual({ signature: `0x${'ab'.repeat(8_192)}` })
    expect(() => readSignature(`0x${'ab'.repeat(8_193)}`)).toThrow(
      'payload.signature must be hex of at most 8192 bytes',
    )
    expect(readSignature('0x')).toEqual({ signature: '0x' })
  })

  test('comes out of its wrapper, which is kept whole', () => {
    expect(unwrapSignature(wrapped)?.signature).toBe('0x1234')
    expect(readSignature(wrapped)).toEqual({ signature: '0x1234', wrapper: { factory, whole: wrapped } })
  })

  test('in a broken wrapper is refused', () => {
    expect(() => readSignature(`0x${'ff'.repeat(96)}${magic}`)).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })
})
