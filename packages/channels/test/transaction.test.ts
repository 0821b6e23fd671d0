import { concatBytes, ProtocolError } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { addSignature, decodeTransaction, encodeTransaction, transactionId } from '../src/index.ts'
import { buyer, filled, open, operator, signedByBuyer, worker } from './opening.ts'

const signed = signedByBuyer([open])
const wire = encodeTransaction(signed)
/** Where the message begins: a count and two signatures. */
const start = 129
const message = wire.slice(start)
const count = message[4] ?? 0
const withMessage = (changed: Uint8Array): Uint8Array => concatBytes(wire.slice(0, start), changed)
const cut = (bytes: Uint8Array, at: number, ...between: readonly Uint8Array[]): Uint8Array =>
  concatBytes(bytes.slice(0, at), ...between, bytes.slice(at + 1))

describe('every byte of a transaction is accounted for', () => {
  test('what is read is written again byte for byte', () => {
    expect(encodeTransaction(decodeTransaction(wire))).toEqual(wire)
  })

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['a byte after its end', concatBytes(wire, Uint8Array.of(0))],
    ['a byte less', wire.slice(0, -1)],
    ['a length in a second spelling', withMessage(cut(message, 4, Uint8Array.of(count | 0x80, 0)))],
    ['a length of four bytes', withMessage(cut(message, 4, Uint8Array.of(0x80, 0x80, 0x80, 1)))],
    ['a length beyond its end', withMessage(message.with(4, 127))],
    ['an account twice', withMessage(concatBytes(message.slice(0, 37), message.slice(5, 37), message.slice(69)))],
    ['fewer signatures than signers', concatBytes(Uint8Array.of(1), wire.slice(1, 65), message)],
    ['more signatures than signers', concatBytes(Uint8Array.of(3), wire.slice(1, 65), wire.slice(1, start), message)],
    ['a fee payer that does not sign', withMessage(message.with(1, 0))],
    ['a fee payer that is only read', withMessage(message.with(2, 2))],
    ['more signers than accounts', withMessage(message.with(1, count + 1))],
    ['more accounts to read than there are', withMessage(message.with(3, count))],
    ['a program without an account', withMessage(message.with(5 + 32 * count + 32 + 1, 200))],
    ['a third version', withMessage(message.with(0, 0x81))],
    ['more than a packet holds', concatBytes(wire, new Uint8Array(1_233))],
  ])('%s is refused', (_, bytes) => {
    expect(() => decodeTransaction(bytes)).toThrow(ProtocolError)
  })
})

test('a signature goes to the place of its key, and to no other', () => {
  const signature = new Uint8Array(64).fill(7)
  expect(addSignature(signed, operator, signature).signatures).toEqual([signature, signed.signatures[1]])
  expect(() => addSignature(signed, worker, signature)).toThrow(expect.objectContaining({ code: 'not_a_signer' }))
})

test('a transaction has a name once its fee payer has signed', () => {
  expect(() => transactionId(signed)).toThrow(expect.objectContaining({ code: 'unsigned' }))
  expect(transactionId(addSignature(signed, operator, filled(9)))).toMatch(/^[1-9A-HJ-NP-Za-km-z]+$/)
  expect(signed.message.signers).toEqual([operator, buyer])
})
