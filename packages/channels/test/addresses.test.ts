import { toBase58 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { addressBytes, derivedAddress, isSolanaAddress, treasuryOwners } from '../src/index.ts'
import { filled, place } from './opening.ts'

const malformed = (message: string): Error => expect.objectContaining({ code: 'malformed', message }) as Error
const program = place(5)

describe('an address', () => {
  test('is 32 bytes in base58', () => {
    expect(addressBytes(place(7))).toEqual(filled(7))
    expect(() => addressBytes(toBase58(filled(7).slice(1)))).toThrow(
      malformed('a Solana address is 32 bytes in base58'),
    )
  })

  test('is known again, and after a thousand others it is read anew', () => {
    const first = addressBytes(place(7))
    expect(addressBytes(place(7))).toBe(first)
    for (let at = 0; at < 1_001; at += 1)
      addressBytes(
        toBase58(
          filled(9)
            .with(0, at % 256)
            .with(1, at >> 8),
        ),
      )
    expect(addressBytes(place(7))).not.toBe(first)
    expect(addressBytes(place(7))).toEqual(first)
  })

  test.each<[string, unknown, boolean]>([
    ['32 bytes', place(7), true],
    ['32 bytes that begin with nothing', toBase58(new Uint8Array(32)), true],
    ['31 bytes that look like 32', toBase58(filled(255).slice(1)), false],
    ['33 bytes that look like 32', toBase58(new Uint8Array(33).fill(1)), false],
    ['letters that base58 leaves out', 'l'.repeat(44), false],
    ['something before it', ` ${place(7)}`, false],
    ['something behind it', `${place(7)} `, false],
    ['a number', 7, false],
  ])('%s', (_, text, isOne) => {
    expect(isSolanaAddress(text)).toBe(isOne)
  })
})

describe('a derived address', () => {
  const refused = malformed('an address is derived from at most 15 seeds of at most 32 bytes')

  test('comes of at most 15 seeds of at most 32 bytes', () => {
    expect(derivedAddress(Array(15).fill(filled(1)), program).bump).toBeLessThan(256)
    expect(() => derivedAddress(Array(16).fill(filled(1)), program)).toThrow(refused)
    expect(() => derivedAddress([filled(1), new Uint8Array(33)], program)).toThrow(refused)
  })
})

test('the treasuries are those of the builds of the program', () => {
  expect(treasuryOwners).toMatchObject({
    mainnet: 'Cs2zdfUNonRdRGsiZUQQLdTxzxVvJZmgiX2mpLYKuEqP',
    devnet: '4zTeC5mVqWLruDexgU2mV66p9t5vCA9JyiZqdGDUspap',
  })
})
