import { concatBytes, ProtocolError, signEd25519 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  addSignature,
  channelAddress,
  computeLimitInstruction,
  computePriceInstruction,
  encodeTransaction,
  memoInstruction,
  openInstruction,
  openSlotWindow,
  requestCloseInstruction,
  topUpInstruction,
  tokenProgram,
  transferTokensInstruction,
  verifyOpen,
  type AgreedOpen,
  type Instruction,
  type OpenFault,
  type OpenTerms,
  type Transaction,
} from '../src/index.ts'
import { agreed, buyer, channelId, keyOf, open, operator, place, signedByBuyer, terms, worker } from './opening.ts'

const limit = computeLimitInstruction(100_000)
const price = computePriceInstruction(1n)
const openOf = (changed: Partial<OpenTerms>): Instruction => openInstruction({ ...terms, ...changed }, agreed)
/** What each refusal tells its reader, who has to know what a transaction lacks. */
const told: Readonly<Record<OpenFault, readonly RegExp[]>> = {
  lookup_tables: [/names all its accounts itself$/],
  instructions: [/opens a channel after its compute budget$/, /does nothing else$/],
  compute_budget: [/sets its budget once$/, /uses at most 400000 units$/, /pays at most 10000 lamports for priority$/],
  memo: [/has a short memo without accounts$/],
  accounts: [
    /names the 14 accounts of an opening$/,
    /names the expected account in place ([5-9]|1[0-3])$/,
    /names no account that it does not use$/,
  ],
  signers: [/is signed by its payer and the operator$/],
  writable_accounts: [/writes to its own accounts$/],
  open_data: [/^the data of the opening cannot be read$/, /has no data after its splits$/],
  payer: [/is paid by the buyer$/],
  payee: [/pays the agreed payee$/],
  mint: [/holds the agreed token$/],
  authorized_signer: [/lets the agreed key sign vouchers$/],
  rent_payer: [/lets the operator pay the rent$/],
  fee_payer: [/lets the operator pay the fee$/],
  deposit: [/puts in from [01]0{0,6} to 10000000$/],
  grace_period: [/has a grace period of (900|0) seconds$/],
  open_slot: [/names one of the last 1500 slots$/],
  splits: [/shares out as agreed$/],
  blockhash: [/uses the blockhash of the offer$/],
  signature: [/is signed by its payer$/],
}
const begins =
  /^(the opening of a channel is a transaction that|a transaction that opens a channel is one that|the data of) /

const faultOf = (transaction: Omit<Transaction, 'message'>, asked: AgreedOpen = agreed): string => {
  try {
    verifyOpen(encodeTransaction(transaction), asked)
    return 'none'
  } catch (error) {
    if (!(error instanceof ProtocolError) || !(error.code in told)) throw error
    expect(error.message).toMatch(begins)
    // It is one of them, as has just been seen.
    expect(told[error.code as OpenFault].filter((one) => one.test(error.message))).toHaveLength(1)
    return error.code
  }
}

describe('an opening as it was agreed', () => {
  test.each([
    ['alone', [open]],
    ['after a limit', [limit, open]],
    ['after a limit and a price', [limit, price, open]],
    ['after a price alone, within what is paid for it', [computePriceInstruction(7_000n), open]],
    ['before a memo', [limit, price, open, memoInstruction('5f3a')]],
    ['before the longest memo', [open, memoInstruction('a'.repeat(256))]],
    [
      'with the most units, at the most the operator pays',
      [computeLimitInstruction(400_000), computePriceInstruction(25_000n), open],
    ],
  ])('%s is what its bytes say', (_, instructions) => {
    const wire = encodeTransaction(signedByBuyer(instructions))
    expect(verifyOpen(wire, agreed)).toMatchObject({ ...terms, channelId })
  })

  test.each([
    ['of the current slot', { openSlot: agreed.slot }],
    ['of the oldest slot', { openSlot: 0n, at: openSlotWindow }],
    ['with the least deposit', { deposit: agreed.leastDeposit }],
    ['with the most', { deposit: agreed.mostDeposit }],
    ['with another salt', { salt: 2n ** 64n - 1n }],
  ])('%s passes', (_, { at = agreed.slot, ...changed }: Partial<OpenTerms> & { at?: bigint }) => {
    expect(faultOf(signedByBuyer([openOf(changed)]), { ...agreed, slot: at })).toBe('none')
  })

  test('any blockhash will do where none was offered', () => {
    const { blockhash: _, ...without } = agreed
    expect(faultOf(signedByBuyer([open], operator, place(78)), without)).toBe('none')
  })
})

/** The opening with one account replaced. */
const withAccount = (at: number, address: string): Instruction => ({
  ...open,
  accounts: open.accounts.with(at, { ...rightsAt(at), address }),
})
const rightsAt = (at: number): Instruction['accounts'][number] =>
  open.accounts[at] ?? { address: '', signer: false, writable: false }
const withData = (data: Uint8Array): Instruction => ({ ...open, data })

describe('whatever else a transaction does is refused', () => {
  const draining = transferTokensInstruction({ from: buyer, to: worker, mint: terms.mint, amount: 1n, decimals: 6 })
  const fromOperator = transferTokensInstruction({
    from: operator,
    to: worker,
    mint: terms.mint,
    amount: 1n,
    decimals: 6,
  })
  const place1 = { channelId, payer: buyer, mint: terms.mint }

  test.each<[string, readonly Instruction[], OpenFault]>([
    ['nothing at all', [], 'instructions'],
    ['a budget alone', [limit], 'instructions'],
    ['one instruction more', [open, draining], 'instructions'],
    ['one of the fee payer', [open, fromOperator], 'instructions'],
    ['one before it', [draining, open], 'instructions'],
    ['two openings', [open, openOf({ salt: 1n })], 'instructions'],
    ['two memos', [open, memoInstruction('a'), memoInstruction('b')], 'instructions'],
    ['a memo before it', [memoInstruction('a'), open], 'instructions'],
    ['a budget after it', [open, limit], 'instructions'],
    ['an opening and its end', [open, requestCloseInstruction(place1, agreed)], 'instructions'],
    ['a top-up instead', [topUpInstruction(place1, 1n, agreed)], 'instructions'],
    ['an opening of another program', [openInstruction(terms, { channelProgram: place(9) })], 'instructions'],
    [
      'a memo that another account signs',
      [open, { ...memoInstruction('a'), accounts: [{ address: operator, signer: true, writable: false }] }],
      'memo',
    ],
    ['a memo that is long', [open, memoInstruction('a'.repeat(257))], 'memo'],
    ['a budget without a kind', [{ ...limit, data: new Uint8Array() }, open], 'compute_budget'],
    ['a limit in the length of a price', [{ ...price, data: price.data.with(0, 2) }, open], 'compute_budget'],
    ['a price in the length of a limit', [{ ...limit, data: limit.data.with(0, 3) }, open], 'compute_budget'],
    ['a limit twice', [limit, limit, open], 'compute_budget'],
    ['a price twice', [price, price, open], 'compute_budget'],
    ['a limit of more than it needs', [computeLimitInstruction(400_001), open], 'compute_budget'],
    ['a price that the operator does not pay', [limit, computePriceInstruction(100_001n), open], 'compute_budget'],
    ['a price for all that the runtime grants', [computePriceInstruction(7_200n), open], 'compute_budget'],
    ['a heap frame', [{ ...limit, data: Uint8Array.of(1, 0, 0, 1, 0) }, open], 'compute_budget'],
    [
      'a limit with a byte more',
      [{ ...limit, data: concatBytes(limit.data, Uint8Array.of(0)) }, open],
      'compute_budget',
    ],
    ['a budget with accounts', [{ ...limit, accounts: [rightsAt(2)] }, open], 'compute_budget'],
  ])('%s', (_, instructions, code) => {
    expect(faultOf(signedByBuyer(instructions))).toBe(code)
  })
})

describe('an opening on other terms is refused', () => {
  const other = keyOf(9)
  test.each<[string, Partial<OpenTerms>, OpenFault]>([
    ['for another payee', { payee: other }, 'payee'],
    ['in another token', { mint: place(9) }, 'mint'],
    ['with another voucher key', { authorizedSigner: other }, 'authorized_signer'],
    ['with another grace period', { gracePeriodSec: 899 }, 'grace_period'],
    ['with nothing in it', { deposit: 0n }, 'deposit'],
    ['with less than agreed', { deposit: agreed.leastDeposit - 1n }, 'deposit'],
    ['with more than agreed', { deposit: agreed.mostDeposit + 1n }, 'deposit'],
    ['of a slot to come', { openSlot: agreed.slot + 1n }, 'open_slot'],
    ['without shares', { splits: [] }, 'splits'],
    ['with another share', { splits: [{ recipient: worker, bps: 8_699 }] }, 'splits'],
    ['with another recipient', { splits: [{ recipient: other, bps: 8_700 }] }, 'splits'],
    ['with one more recipient', { splits: [...terms.splits, { recipient: other, bps: 1_300 }] }, 'splits'],
  ])('%s', (_, changed, code) => {
    expect(faultOf(signedByBuyer([openOf(changed)]))).toBe(code)
  })

  test('with nothing in it or without a grace period, even where that was agreed', () => {
    const empty = signedByBuyer([openOf({ deposit: 0n })])
    expect(faultOf(empty, { ...agreed, leastDeposit: 0n })).toBe('deposit')
    const hasty = signedByBuyer([openOf({ gracePeriodSec: 0 })])
    expect(faultOf(hasty, { ...agreed, gracePeriodSec: 0 })).toBe('grace_period')
  })

  test('a slot out of the window is refused', () => {
    expect(faultOf(signedByBuyer([open]), { ...agreed, slot: terms.openSlot + openSlotWindow })).toBe('none')
    expect(faultOf(signedByBuyer([open]), { ...agreed, slot: terms.openSlot + openSlotWindow + 1n })).toBe('open_slot')
  })

  test('a payer who is not the buyer, and a buyer who is the operator', () => {
    expect(faultOf(signedByBuyer([open]), { ...agreed, payer: worker })).toBe('payer')
    const byOperator = signedByBuyer([openOf({ payer: operator, payee: worker })])
    expect(faultOf(byOperator, { ...agreed, payer: operator, payee: worker })).toBe('payer')
  })

  test('a payee who is the payer', () => {
    expect(faultOf(signedByBuyer([openOf({ payee: buyer })]), { ...agreed, payee: buyer })).toBe('payee')
  })

  test('a voucher key that is no key, though it was agreed', () => {
    const nobody = channelAddress(terms, place(9)).address
    const asked = { ...agreed, authorizedSigner: nobody }
    expect(faultOf(signedByBuyer([openOf({ authorizedSigner: nobody })]), asked)).toBe('authorized_signer')
  })

  test('rent paid by the buyer', () => {
    expect(faultOf(signedByBuyer([openOf({ rentPayer: buyer })]))).toBe('rent_payer')
  })

  test('a fee paid by the buyer', () => {
    expect(faultOf(signedByBuyer([open], buyer))).toBe('fee_payer')
  })

  test('the blockhash of another offer', () => {
    expect(faultOf(signedByBuyer([open], operator, place(78)))).toBe('blockhash')
  })
})

describe('an opening with other accounts is refused', () => {
  const { address: elsewhere } = channelAddress({ ...terms, salt: 43n }, agreed.channelProgram)
  const derived = [
    [5, 'channel'],
    [6, "payer's tokens"],
    [7, 'escrow'],
    [8, 'token program'],
    [9, 'system program'],
    [10, 'rent sysvar'],
    [11, 'program of token accounts'],
    [12, 'event authority'],
    [13, 'program itself'],
  ] as const
  test.each(derived)('place %i, the %s', (at) => {
    expect(faultOf(signedByBuyer([withAccount(at, elsewhere)]))).toBe('accounts')
  })

  test('one account fewer or more', () => {
    expect(faultOf(signedByBuyer([{ ...open, accounts: open.accounts.slice(0, 13) }]))).toBe('accounts')
    expect(faultOf(signedByBuyer([{ ...open, accounts: [...open.accounts, rightsAt(2)] }]))).toBe('accounts')
  })

  test('an account that nothing uses', () => {
    const { messageBytes } = signedByBuyer([open])
    // Version 0: a prefix, three counts, the number of accounts, the accounts.
    const count = messageBytes[4] ?? 0
    const grown = concatBytes(
      messageBytes.slice(0, 3),
      Uint8Array.of((messageBytes[3] ?? 0) + 1, count + 1),
      messageBytes.slice(5, 5 + 32 * count),
      new Uint8Array(32).fill(200),
      messageBytes.slice(5 + 32 * count),
    )
    expect(faultOf(resigned(grown))).toBe('accounts')
  })

  test('a signature of another party', () => {
    const accounts = open.accounts.with(4, { ...rightsAt(4), signer: true })
    expect(faultOf(signedByBuyer([{ ...open, accounts }]))).toBe('signers')
  })

  test.each([2, 3, 4, 8, 12])('writing to account %i', (at) => {
    const accounts = open.accounts.with(at, { ...rightsAt(at), writable: true })
    // The payee is the operator here, who pays and so is written to.
    expect(faultOf(signedByBuyer([{ ...open, accounts }]))).toBe(at === 2 ? 'none' : 'writable_accounts')
  })

  test('a channel that is only read', () => {
    const accounts = open.accounts.with(5, { ...rightsAt(5), writable: false })
    expect(faultOf(signedByBuyer([{ ...open, accounts }]))).toBe('writable_accounts')
  })

  test('token accounts of the other token program', () => {
    const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
    const foreign = openInstruction(terms, { ...agreed, tokenProgram: token2022 })
    expect(faultOf(signedByBuyer([foreign]))).toBe('accounts')
    expect(faultOf(signedByBuyer([foreign]), { ...agreed, tokenProgram: token2022 })).toBe('none')
    expect(faultOf(signedByBuyer([open]), { ...agreed, tokenProgram })).toBe('none')
  })
})

describe('an opening that cannot be read is refused', () => {
  test.each([
    ['without its data', withData(open.data.slice(0, 1))],
    ['cut short', withData(open.data.slice(0, -1))],
    ['with a byte more', withData(concatBytes(open.data, Uint8Array.of(0)))],
    ['with more recipients than there are', withData(open.data.with(29, 2))],
    ['with thousands of recipients', withData(open.data.with(30, 255))],
    ['with a share of nothing', withData(open.data.with(65, 0).with(66, 0))],
  ])('%s', (_, instruction) => {
    expect(faultOf(signedByBuyer([instruction]))).toBe('open_data')
  })

  test('a lookup table, whatever is in it', () => {
    const { messageBytes } = signedByBuyer([open])
    const table = concatBytes(Uint8Array.of(1), new Uint8Array(32).fill(5), Uint8Array.of(1, 0, 0))
    expect(faultOf(resigned(concatBytes(messageBytes.slice(0, -1), table)))).toBe('lookup_tables')
  })
})

describe('an opening its payer did not sign is refused', () => {
  const signed = signedByBuyer([open])
  const at = signed.message.signers.indexOf(buyer)

  test('without a signature', () => {
    expect(faultOf({ ...signed, signatures: signed.signatures.with(at, null) })).toBe('signature')
  })

  test('with the signature of another transaction', () => {
    const { signatures } = signedByBuyer([limit, open])
    expect(faultOf({ ...signed, signatures })).toBe('signature')
  })

  test('with the signature of another key', () => {
    const foreign = signEd25519(signed.messageBytes, new Uint8Array(32).fill(9))
    expect(faultOf(addSignature(signed, buyer, foreign))).toBe('signature')
  })
})

test('nothing is taken from a transaction beyond its bytes', () => {
  const wire = encodeTransaction(signedByBuyer([limit, open]))
  // The operator's signature comes first, and its place is nobody's yet.
  for (let at = 65; at < wire.length; at += 1) {
    const flipped = wire.with(at, (wire[at] ?? 0) ^ 1)
    expect(() => verifyOpen(flipped, agreed), `byte ${at}`).toThrow(ProtocolError)
  }
})

/** These bytes as a transaction that the buyer signed. */
function resigned(messageBytes: Uint8Array): Omit<Transaction, 'message'> {
  const { message } = signedByBuyer([open])
  const signature = signEd25519(messageBytes, new Uint8Array(32).fill(2))
  return { messageBytes, signatures: message.signers.map((address) => (address === buyer ? signature : null)) }
}
