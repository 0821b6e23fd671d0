import { expect, test } from 'vitest'
import {
  addSignature,
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  directPaymentInstructions,
  encodeTransaction,
  memoInstruction,
  transferTokensInstruction,
  verifyDirectPayment,
  type DirectPayment,
  type Instruction,
} from '../src/index.ts'
import { blockhash, buyer, operator, place, signedByBuyer, usdc, worker } from './opening.ts'

const treasury = place(8)
const payment: DirectPayment = {
  payer: buyer,
  feePayer: operator,
  mint: usdc,
  decimals: 6,
  payees: [
    { owner: worker, amount: 870_000n },
    { owner: treasury, amount: 130_000n },
  ],
  reference: 'task 7',
  computeUnits: 90_000,
  computePrice: 3n,
}
const instructions = directPaymentInstructions(payment)
const wireOf = (own: readonly Instruction[], feePayer = operator, hash = blockhash): Uint8Array =>
  encodeTransaction(signedByBuyer(own, feePayer, hash))

test('a direct payment makes the accounts that are missing, pays the worker and then the treasury, and says for what', () => {
  expect(instructions).toEqual([
    computeLimitInstruction(90_000),
    computePriceInstruction(3n),
    createTokenAccountInstruction({ funder: operator, owner: worker, mint: usdc }),
    createTokenAccountInstruction({ funder: operator, owner: treasury, mint: usdc }),
    transferTokensInstruction({ from: buyer, to: worker, mint: usdc, amount: 870_000n, decimals: 6 }),
    transferTokensInstruction({ from: buyer, to: treasury, mint: usdc, amount: 130_000n, decimals: 6 }),
    memoInstruction('task 7'),
  ])
})

const payees = (...amounts: readonly bigint[]): DirectPayment['payees'] =>
  amounts.map((amount, at) => ({ owner: place(100 + at), amount }))

test.each<[string, Partial<DirectPayment>, string]>([
  ['nobody', { payees: [] }, 'pays one to 4 payees'],
  ['five', { payees: payees(1n, 1n, 1n, 1n, 1n) }, 'pays one to 4 payees'],
  ['one of them twice', { payees: [...payees(1n), ...payees(2n)] }, 'pays each payee once'],
  ['its own payer', { payees: [{ owner: buyer, amount: 1n }] }, 'is paid by the payer to others'],
  ['with the money of who pays the fee', { payer: operator }, 'is paid by the payer to others'],
  ['nothing', { payees: payees(1n, 0n) }, 'pays amounts above 0'],
  ['less than nothing', { payees: payees(-1n) }, 'pays amounts above 0'],
])('it cannot pay %s', (_, change, does) => {
  expect(() => directPaymentInstructions({ ...payment, ...change })).toThrow(
    expect.objectContaining({ code: 'direct_terms', message: `a direct payment is a transaction that ${does}` }),
  )
})

test.each([1, 4])('it can pay %i', (count) => {
  expect(directPaymentInstructions({ ...payment, payees: payees(...Array<bigint>(count).fill(1n)) })).toHaveLength(
    3 + 2 * count,
  )
})

test('what says byte for byte what was offered is the payment, whatever its blockhash', () => {
  for (const hash of [blockhash, place(78)]) {
    const wire = wireOf(instructions, operator, hash)
    const verified = verifyDirectPayment(wire, payment)
    expect(encodeTransaction(verified)).toEqual(wire)
    expect(verified.message.blockhash).toBe(hash)
  }
})

const unlike = ['direct_message', 'does what was offered and nothing else'] as const

test.each<[string, Uint8Array, readonly [string, string]]>([
  ['another amount', wireOf(directPaymentInstructions({ ...payment, payees: payees(1n) })), unlike],
  ['another order', wireOf([...instructions.slice(0, 4), ...instructions.slice(4).toReversed()]), unlike],
  ['something more', wireOf([...instructions, memoInstruction('more')]), unlike],
  ['something less', wireOf(instructions.slice(0, -1)), unlike],
  ['another reference of the same length', wireOf([...instructions.slice(0, -1), memoInstruction('task 8')]), unlike],
  ['another fee payer', wireOf(instructions, buyer), unlike],
  [
    'no signature of its payer',
    encodeTransaction(addSignature(signedByBuyer(instructions), buyer, new Uint8Array(64))),
    ['signature', 'is signed by its payer'],
  ],
])('a transaction with %s is not', (_, wire, [code, does]) => {
  expect(() => verifyDirectPayment(wire, payment)).toThrow(
    expect.objectContaining({ code, message: `a direct payment is a transaction that ${does}` }),
  )
})
