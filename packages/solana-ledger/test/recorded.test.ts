import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { encodeTransaction, memoInstruction, unsignedTransaction } from '@ergon/channels'
import { expect, test } from 'vitest'
import { NodeSilent } from '../src/rpc/node.ts'
import { readRecorded } from '../src/rpc/recorded.ts'

const addressOf = (byte: number): string => toBase58(ed25519KeyOf(new Uint8Array(32).fill(byte)))
const [payer, program, writable, readonly] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)]
const text = (wire: Uint8Array): readonly [string, string] => [Buffer.from(wire).toString('base64'), 'base64']

/** A message that names the third and the fourth account out of a table. */
function leaningOnATable(): Uint8Array {
  const instruction = { program, accounts: [], data: Uint8Array.of(7) }
  const plain = encodeTransaction(unsignedTransaction(payer, addressOf(9), [instruction]))
  const table = [...new Uint8Array(32).fill(5), 1, 0, 1, 1]
  // It ends with the instruction, of no accounts and one byte, and with no table.
  return Uint8Array.from([...plain.slice(0, -4), 2, 2, 3, 1, 7, 1, ...table])
}

test('accounts out of tables are named as any other, and without them the transaction cannot be read', () => {
  const transaction = text(leaningOnATable())
  const loadedAddresses = { writable: [writable], readonly: [readonly] }
  const found = readRecorded({ transaction, meta: { innerInstructions: [], loadedAddresses } })
  expect(found?.instructions[0]?.accounts.map(({ address }) => address)).toEqual([writable, readonly])
  expect(() => readRecorded({ transaction, meta: { innerInstructions: [] } })).toThrow(NodeSilent)
})

test('calls belong to their instruction, those with very much data are left out, and none recorded is not none', () => {
  const two = [memoInstruction('one'), { program, accounts: [], data: Uint8Array.of(7) }]
  const transaction = text(encodeTransaction(unsignedTransaction(payer, addressOf(9), two)))
  const of = (data: string) => ({ programIdIndex: 2, accounts: [0], data, stackHeight: 2 })
  const meta = {
    innerInstructions: [{ index: 1, instructions: [of('5'), of('5'.repeat(100)), of('5'.repeat(9_000))] }],
  }
  const calls = readRecorded({ transaction, meta })?.instructions.map((one) => one.calls)
  expect(calls?.[0]).toEqual([])
  expect(calls?.[1]?.map((call) => [call.program, call.accounts[0]?.address, call.data.length])).toEqual([
    [program, payer, 1],
    [program, payer, 73],
  ])
  for (const none of [null, undefined, {}, { innerInstructions: null }])
    expect(readRecorded({ transaction, meta: none })?.instructions.map((one) => one.calls)).toEqual([null, null])
  for (const bad of [[{ index: 1, instructions: [{ ...of('5'), programIdIndex: 9 }] }], [{ index: 'x' }], 'calls'])
    expect(() => readRecorded({ transaction, meta: { innerInstructions: bad } })).toThrow(NodeSilent)
})
