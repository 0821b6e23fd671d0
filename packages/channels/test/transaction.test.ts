import { concatBytes } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  addSignature,
  decodeMessage,
  decodeTransaction,
  encodeTransaction,
  maxTransactionBytes,
  memoInstruction,
  requestCloseInstruction,
  transactionId,
} from '../src/index.ts'
import { agreed, buyer, channelId, filled, open, operator, signedByBuyer, worker } from './opening.ts'

const signed = signedByBuyer([open])
const wire = encodeTransaction(signed)
type Refusal = readonly [code: string, message: string]
const needs = (what: string): Refusal => ['malformed', `a transaction needs ${what}`]
const cutShort = (length: number): Refusal => ['malformed', `${length} bytes end in the middle of a field`]
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

  test.each<[string, Uint8Array, Refusal]>([
    ['nothing', new Uint8Array(), cutShort(0)],
    ['a byte after its end', concatBytes(wire, Uint8Array.of(0)), needs('no bytes after its end')],
    ['a byte less', wire.slice(0, -1), cutShort(message.length - 1)],
    [
      'a length in a second spelling',
      withMessage(cut(message, 4, Uint8Array.of(count | 0x80, 0))),
      needs('lengths in their shortest spelling'),
    ],
    [
      'a length of four bytes',
      withMessage(cut(message, 4, Uint8Array.of(0x80, 0x80, 0x80, 1))),
      needs('lengths of at most three bytes'),
    ],
    ['more accounts than its bytes', withMessage(message.with(4, 127)), cutShort(message.length)],
    [
      'a length beyond its end',
      withMessage(cut(message, 4, Uint8Array.of(0xff, 0x7f))),
      needs('lengths that end within it'),
    ],
    [
      'an account twice',
      withMessage(concatBytes(message.slice(0, 37), message.slice(5, 37), message.slice(69))),
      needs('each account once'),
    ],
    [
      'fewer signatures than signers',
      concatBytes(Uint8Array.of(1), wire.slice(1, 65), message),
      needs('a signature for each signer'),
    ],
    [
      'more signatures than signers',
      concatBytes(Uint8Array.of(3), wire.slice(1, 65), wire.slice(1, start), message),
      needs('a signature for each signer'),
    ],
    ['a fee payer that does not sign', withMessage(message.with(1, 0)), needs('a fee payer that signs')],
    ['a fee payer that is only read', withMessage(message.with(2, 2)), needs('a fee payer that signs')],
    ['more signers than accounts', withMessage(message.with(1, count + 1)), needs('a header that fits its accounts')],
    [
      'more accounts to read than there are',
      withMessage(message.with(3, count)),
      needs('a header that fits its accounts'),
    ],
    [
      'a program without an account',
      withMessage(message.with(5 + 32 * count + 32 + 1, 200)),
      needs('an account for each number'),
    ],
    [
      'a third version',
      withMessage(message.with(0, 0x81)),
      ['version', 'a message is of the legacy form or of version 0'],
    ],
    [
      'more than a packet holds',
      concatBytes(wire, new Uint8Array(1_233)),
      ['too_large', 'a transaction has at most 1232 bytes'],
    ],
  ])('%s is refused', (_, bytes, [code, message]) => {
    expect(() => decodeTransaction(bytes)).toThrow(expect.objectContaining({ code, message }))
  })
})

test('a transaction fills a packet, and no more', () => {
  const sized = (bytes: number) => signedByBuyer([open, memoInstruction('m'.repeat(bytes))])
  const spare = maxTransactionBytes - encodeTransaction(sized(200)).length
  const full = encodeTransaction(sized(200 + spare))
  expect(full).toHaveLength(1_232)
  expect(encodeTransaction(decodeTransaction(full))).toEqual(full)
  expect(() => encodeTransaction(sized(201 + spare))).toThrow(
    expect.objectContaining({ code: 'too_large', message: 'a transaction has at most 1232 bytes, this one 1233' }),
  )
})

test('an account that only signs is counted as one that is not written to', () => {
  const { message } = signedByBuyer([requestCloseInstruction({ channelId, payer: buyer }, agreed)])
  expect(message.accounts.slice(0, 3)).toEqual([
    { address: operator, signer: true, writable: true },
    { address: buyer, signer: true, writable: false },
    { address: channelId, signer: false, writable: true },
  ])
})

test('an account out of a table is the one that the ledger tells', () => {
  const table = concatBytes(Uint8Array.of(1), filled(5), Uint8Array.of(1, 0, 0))
  // The program of the one instruction is the first account behind those of the message.
  const leaning = concatBytes(
    message.slice(0, 5 + 32 * count + 33),
    Uint8Array.of(count),
    message.slice(5 + 32 * count + 34, -1),
    table,
  )
  const told = { address: worker, signer: false, writable: false }
  expect(decodeMessage(leaning, [told]).instructions[0]?.program).toBe(worker)
  expect(decodeMessage(leaning).instructions[0]?.program).toBe('')
})

test('a signature goes to the place of its key, and to no other', () => {
  const signature = new Uint8Array(64).fill(7)
  expect(addSignature(signed, operator, signature).signatures).toEqual([signature, signed.signatures[1]])
  expect(() => addSignature(signed, worker, signature)).toThrow(
    expect.objectContaining({ code: 'not_a_signer', message: 'the transaction asks for no signature of that key' }),
  )
})

test('a transaction has a name once its fee payer has signed', () => {
  expect(() => transactionId(signed)).toThrow(
    expect.objectContaining({ code: 'unsigned', message: 'the fee payer has not signed' }),
  )
  expect(transactionId(addSignature(signed, operator, filled(9)))).toMatch(/^[1-9A-HJ-NP-Za-km-z]+$/)
  expect(signed.message.signers).toEqual([operator, buyer])
})
