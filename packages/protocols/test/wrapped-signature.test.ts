import fc from 'fast-check'
import { bytesToHex, ProtocolError, unwrapSignature, type Hex } from '../src/index.ts'
import { parseErc6492Signature, serializeErc6492Signature } from 'viem/utils'
import { describe, expect, test } from 'vitest'

const factory = '0x0ba5ed0c6aa8c49038f819e587e2633c4a9f428a'
const magic = '6492'.repeat(16)
const bytes = (most: number): fc.Arbitrary<Hex> => fc.uint8Array({ maxLength: most }).map(bytesToHex)

function unwrapped(signature: Hex): unknown {
  try {
    return unwrapSignature(signature)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return error.code
  }
}

describe('a wrapped signature (ERC-6492)', () => {
  test('opens to what others wrapped', () => {
    fc.assert(
      fc.property(bytes(300), bytes(300), (data, signature) => {
        const wrapped = serializeErc6492Signature({ address: factory, data, signature })
        expect(unwrapSignature(wrapped)).toEqual({ factory, call: data, signature })
      }),
    )
  })

  test('is told by its end alone', () => {
    for (const plain of ['0x', `0x${'5a'.repeat(65)}`, `0x${magic}00`, `0x${magic.slice(2)}`] as const)
      expect(unwrapSignature(plain)).toBeUndefined()
    const wrapped = serializeErc6492Signature({ address: factory, data: '0x12', signature: '0x34' })
    expect(unwrapSignature(wrapped.toUpperCase().replace('0X', '0x') as Hex)).toEqual({
      factory,
      call: '0x12',
      signature: '0x34',
    })
  })

  const good = serializeErc6492Signature({ address: factory, data: '0x12', signature: '0x34' }).slice(2, -64)
  const words: readonly string[] = good.match(/.{64}/g) ?? []
  const change = (index: number, word: string): Hex => `0x${words.with(index, word).join('')}${magic}`
  test.each<readonly [string, Hex]>([
    ['nothing before its end', `0x${magic}`],
    ['a factory that is no address', change(0, 'ff'.repeat(32))],
    ['a call beyond its end', change(1, '0'.repeat(62) + 'ff')],
    ['a signature longer than the rest', change(5, '0'.repeat(62) + '21')],
    ['a length that no memory has', change(5, 'f'.repeat(64))],
    ['a place that no memory has', change(2, 'f'.repeat(64))],
    [
      'another wrapper',
      serializeErc6492Signature({
        address: factory,
        data: '0x',
        signature: serializeErc6492Signature({ address: factory, data: '0x', signature: '0x34' }),
      }),
    ],
  ])('is refused with %s', (_what, signature) => {
    expect(unwrapped(signature)).toBe('malformed')
  })

  test('reads any bytes as a decoder of others does, or refuses them', () => {
    const mangled = fc
      .tuple(bytes(80), bytes(80), fc.nat(500), fc.integer({ min: 0, max: 255 }))
      .map(([data, signature, at, byte]) => {
        const wrapped = serializeErc6492Signature({ address: factory, data, signature })
        const place = 2 + 2 * (at % (wrapped.length / 2 - 33))
        return `${wrapped.slice(0, place)}${byte.toString(16).padStart(2, '0')}${wrapped.slice(place + 2)}` as Hex
      })
    fc.assert(
      fc.property(mangled, (signature) => {
        const ours = unwrapped(signature)
        if (ours === 'malformed') return
        const theirs = parseErc6492Signature(signature)
        expect(ours).toEqual({ factory: theirs.address?.toLowerCase(), call: theirs.data, signature: theirs.signature })
      }),
      { numRuns: 500 },
    )
  })
})
