import { ProtocolError } from '@ergon/protocols'
import { expect, test } from 'vitest'
import {
  addSignature,
  associatedTokenAccount,
  associatedTokenProgram,
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  encodeTransaction,
  memoInstruction,
  memoProgram,
  mostExactPrice,
  mostExactUnits,
  systemProgram,
  token2022Program,
  transferTokensInstruction,
  verifyExactPayment,
  type AccountMeta,
  type ExactTerms,
  type Instruction,
} from '../src/index.ts'
import { buyer, filled, operator, place, signedByBuyer, usdc, worker } from './opening.ts'

const terms: ExactTerms = { feePayer: operator, payTo: worker, mint: usdc, decimals: 6, amount: 250_000n }
const stranger = place(9)

const limit = computeLimitInstruction(40_000)
const price = computePriceInstruction(7n)
const transferOf = (change: Partial<Parameters<typeof transferTokensInstruction>[0]> = {}): Instruction =>
  transferTokensInstruction({ from: buyer, to: worker, mint: usdc, amount: 250_000n, decimals: 6, ...change })
const createOf = (change: Partial<Parameters<typeof createTokenAccountInstruction>[0]> = {}): Instruction =>
  createTokenAccountInstruction({ funder: buyer, owner: worker, mint: usdc, ...change })
const transfer = transferOf()
const create = createOf()

const wireOf = (instructions: readonly Instruction[], feePayer = operator): Uint8Array =>
  encodeTransaction(signedByBuyer(instructions, feePayer))
const accountAt = (instruction: Instruction, at: number, account: Partial<AccountMeta>): Instruction => ({
  ...instruction,
  accounts: instruction.accounts.map((one, place) => (place === at ? { ...one, ...account } : one)),
})

test.each<[string, readonly Instruction[], Partial<ExactTerms>, boolean]>([
  ['a limit, a price and a transfer', [limit, price, transfer], {}, false],
  ['with the account of the seller made where it is missing', [limit, price, create, transfer], {}, true],
  ['or made in any case', [limit, price, { ...create, data: Uint8Array.of(0) }, transfer], {}, true],
  ['or in the oldest spelling', [limit, price, { ...create, data: new Uint8Array() }, transfer], {}, true],
  ['with a memo nobody asked for', [limit, price, transfer, memoInstruction('any')], {}, false],
  [
    'with the memo that was asked for',
    [limit, price, transfer, memoInstruction('order 7')],
    { memo: 'order 7' },
    false,
  ],
  ['with the longest memo', [limit, price, transfer, memoInstruction('x'.repeat(256))], {}, false],
  ['with all of it', [limit, price, create, transfer, memoInstruction('m')], { memo: 'm' }, true],
])('an exact payment is %s', (_, instructions, change, createsAccount) => {
  const verified = verifyExactPayment(wireOf(instructions), { ...terms, ...change })
  expect(verified).toMatchObject({ payer: buyer, createsAccount, budget: { units: 40_000, price: 7n } })
  expect(encodeTransaction(verified.transaction)).toEqual(wireOf(instructions))
})

test('it computes and offers as much as the scheme lets it, and no more', () => {
  const most = [computeLimitInstruction(mostExactUnits), computePriceInstruction(mostExactPrice), transfer]
  expect(verifyExactPayment(wireOf(most), terms).budget).toEqual({ units: mostExactUnits, price: mostExactPrice })
  expect([mostExactUnits, mostExactPrice]).toEqual([400_000, 5_000_000n])
})

const length = 'has a limit, a price, a transfer and at most a memo'
const notTheLimit = ['compute_limit_instruction', 'first sets its compute limit'] as const
const notThePrice = ['compute_price_instruction', 'then sets its compute price'] as const
const noTransfer = ['no_transfer_instruction', 'makes one checked transfer'] as const
const otherAccount = ['no_transfer_instruction', "makes no account but the seller's, at its payer's cost"] as const
const noMemo = ['unknown_fourth_instruction', 'ends with nothing but a memo'] as const
const rights = ['excessive_signers', 'asks nobody and nothing for more than the transfer needs'] as const

test.each<[string, readonly [string, string], readonly Instruction[]]>([
  ['nothing but a budget', ['instructions_length', length], [limit, price]],
  ['a transfer without a price', ['instructions_length', length], [limit, transfer]],
  ['two memos', ['instructions_length', length], [limit, price, transfer, memoInstruction('a'), memoInstruction('b')]],
  ['an account and no transfer', ['instructions_length', length], [limit, price, create]],
  ['the price first', notTheLimit, [price, limit, transfer]],
  ['a limit of another program', notTheLimit, [{ ...limit, program: systemProgram }, price, transfer]],
  ['a limit with an account', notTheLimit, [{ ...limit, accounts: transfer.accounts.slice(0, 1) }, price, transfer]],
  ['a longer limit', notTheLimit, [{ ...limit, data: Uint8Array.of(...limit.data, 0) }, price, transfer]],
  ['two limits', notThePrice, [limit, limit, transfer]],
  ['a price of another kind', notThePrice, [limit, { ...price, data: price.data.with(0, 4) }, transfer]],
  [
    'a unit too many',
    ['compute_limit_instruction_too_high', 'uses at most 400000 units'],
    [computeLimitInstruction(mostExactUnits + 1), price, transfer],
  ],
  [
    'a price too high',
    ['compute_price_instruction_too_high', 'pays at most 5000000 for priority'],
    [limit, computePriceInstruction(mostExactPrice + 1n), transfer],
  ],
  [
    'Token-2022',
    ['token_2022_not_supported', 'pays in SPL Token'],
    [limit, price, { ...transfer, program: token2022Program }],
  ],
  ['another program', noTransfer, [limit, price, { ...transfer, program: systemProgram }]],
  ['an unchecked transfer', noTransfer, [limit, price, { ...transfer, data: transfer.data.with(0, 3) }]],
  ['a transfer with more data', noTransfer, [limit, price, { ...transfer, data: Uint8Array.of(...transfer.data, 0) }]],
  [
    'a transfer of several signers',
    noTransfer,
    [limit, price, { ...transfer, accounts: [...transfer.accounts, ...transfer.accounts.slice(3)] }],
  ],
  [
    'money of the fee payer',
    ['transaction_fee_payer_transferring_funds', 'moves no money of the facilitator'],
    [limit, price, transferOf({ from: operator })],
  ],
  [
    'money out of an account that is the fee payer',
    ['transaction_fee_payer_transferring_funds', 'moves no money of the facilitator'],
    [limit, price, accountAt(transfer, 0, { address: operator })],
  ],
  ['another token', ['mint_mismatch', 'pays in the token asked for'], [limit, price, transferOf({ mint: stranger })]],
  ['another seller', ['recipient_mismatch', 'pays the seller'], [limit, price, transferOf({ to: stranger })]],
  ['less', ['amount_mismatch', 'pays what was asked'], [limit, price, transferOf({ amount: 249_999n })]],
  ['more', ['amount_mismatch', 'pays what was asked'], [limit, price, transferOf({ amount: 250_001n })]],
  [
    'other decimals',
    ['amount_mismatch', 'counts in the decimals of the token'],
    [limit, price, transferOf({ decimals: 9 })],
  ],
  [
    'out of an account of another',
    ['no_transfer_instruction', 'pays out of the account of its payer'],
    [limit, price, accountAt(transfer, 0, { address: associatedTokenAccount(stranger, usdc) })],
  ],
  ['the account of another made', otherAccount, [limit, price, createOf({ owner: stranger }), transfer]],
  ['of another token', otherAccount, [limit, price, createOf({ mint: stranger }), transfer]],
  ["at the facilitator's cost", otherAccount, [limit, price, createOf({ funder: operator }), transfer]],
  [
    'with an account more',
    otherAccount,
    [limit, price, { ...create, accounts: [...create.accounts, ...create.accounts.slice(2, 3)] }, transfer],
  ],
  [
    'with an account less',
    otherAccount,
    [limit, price, { ...create, accounts: create.accounts.slice(0, -1) }, transfer],
  ],
  ['in a spelling nobody knows', otherAccount, [limit, price, { ...create, data: Uint8Array.of(2) }, transfer]],
  ['in a longer spelling', otherAccount, [limit, price, { ...create, data: Uint8Array.of(1, 0) }, transfer]],
  ['a second transfer', noMemo, [limit, price, transfer, transfer]],
  [
    'a memo that names an account',
    noMemo,
    [limit, price, transfer, { ...memoInstruction('m'), accounts: transfer.accounts.slice(3) }],
  ],
  ['a memo too long', noMemo, [limit, price, transfer, memoInstruction('x'.repeat(257))]],
  ['a memo of another program', noMemo, [limit, price, transfer, { ...memoInstruction('m'), program: stranger }]],
  ['a seller that has to sign', rights, [limit, price, accountAt(transfer, 2, { signer: true })]],
  ['a mint that is written to', rights, [limit, price, accountAt(transfer, 1, { writable: true })]],
])('a payment is none with %s', (_, [code, does], instructions) => {
  const at = /^(instructions|compute)/.test(code)
    ? `transaction_${code.replace(/^compute/, 'instructions_compute')}`
    : code
  expect(() => verifyExactPayment(wireOf(instructions), terms)).toThrow(
    new ProtocolError(`invalid_exact_svm_payload_${at}`, `an exact payment is a transaction that ${does}`),
  )
  expect(codeOf(() => verifyExactPayment(wireOf(instructions), terms))).toBe(`invalid_exact_svm_payload_${at}`)
})

function codeOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error instanceof ProtocolError ? error.code : error
  }
}

const good = [limit, price, transfer]

test.each<[string, Uint8Array, Partial<ExactTerms>, string, string]>([
  [
    'the fee of another to pay',
    wireOf(good, buyer),
    {},
    'invalid_exact_svm_fee_payer_mismatch',
    'an exact payment is a transaction that lets the facilitator pay its fee',
  ],
  [
    'bytes that are no transaction',
    wireOf(good).slice(0, -1),
    {},
    'invalid_exact_svm_payload_transaction_could_not_be_decoded',
    'the transaction cannot be read',
  ],
  [
    'accounts in a table',
    Uint8Array.of(...wireOf(good).slice(0, -1), 1, ...filled(5), 1, 0, 0),
    {},
    'invalid_exact_svm_payload_transaction_could_not_be_decoded',
    'the transaction hides accounts in a table',
  ],
  [
    'no signature of its payer',
    encodeTransaction(addSignature(signedByBuyer(good), buyer, new Uint8Array(64))),
    {},
    'invalid_exact_svm_payload_signature_invalid',
    'an exact payment is a transaction that is signed by its payer',
  ],
  [
    'a signature that is none',
    encodeTransaction(addSignature(signedByBuyer(good), buyer, new Uint8Array([...filled(1), ...filled(2)]))),
    {},
    'invalid_exact_svm_payload_signature_invalid',
    'an exact payment is a transaction that is signed by its payer',
  ],
  [
    'another memo',
    wireOf([...good, memoInstruction('order 8')]),
    { memo: 'order 7' },
    'invalid_exact_svm_payload_memo_mismatch',
    'an exact payment is a transaction that has the memo that was asked for',
  ],
  [
    'no memo where one was asked for',
    wireOf(good),
    { memo: 'order 7' },
    'invalid_exact_svm_payload_memo_mismatch',
    'an exact payment is a transaction that has the memo that was asked for',
  ],
])('nor with %s', (_, wire, change, code, sentence) => {
  const verify = (): unknown => verifyExactPayment(wire, { ...terms, ...change })
  expect(verify).toThrow(sentence)
  expect(codeOf(verify)).toBe(code)
})

test('the programs are those of Solana', () => {
  expect([associatedTokenProgram, memoProgram, token2022Program]).toEqual([
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  ])
})
