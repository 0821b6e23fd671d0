import { concatBytes, ProtocolError } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  computeLimitInstruction,
  computePriceInstruction,
  encodeTransaction,
  memoInstruction,
  requestCloseInstruction,
  topUpInstruction,
  transferTokensInstruction,
  verifyTopUp,
  type AgreedTopUp,
  type Instruction,
  type TopUpFault,
  type Transaction,
} from '../src/index.ts'
import { agreed, buyer, channelId, operator, place, signedByBuyer, terms, worker } from './opening.ts'

const asked: AgreedTopUp = {
  channelId,
  payer: buyer,
  mint: terms.mint,
  channelProgram: agreed.channelProgram,
  operator,
  mostAmount: 5_000_000n,
  mostPriorityLamports: 10_000n,
}
const topUp = topUpInstruction(asked, 1_000n, asked)
/** What refusals tell their reader. */
const told = new RegExp(
  `^a transaction that tops a channel up is one that (${[
    'does nothing else',
    'tops a channel up after its compute budget',
    'names no further accounts',
    'names the expected account in place [0-4]',
    'names an amount and nothing else',
    'adds from 1 to 5000000',
    'lets the operator pay the fee',
    'is paid by the buyer',
    'is signed by the payer of the channel',
  ].join('|')})$`,
)
const faultOf = (transaction: Omit<Transaction, 'message'>, how: AgreedTopUp = asked): string => {
  try {
    verifyTopUp(encodeTransaction(transaction), how)
    return 'none'
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    expect(error.message).toMatch(told)
    return error.code
  }
}

describe('a top-up', () => {
  test.each<[string, readonly Instruction[]]>([
    ['alone', [topUp]],
    [
      'with its budget and a memo',
      [computeLimitInstruction(50_000), computePriceInstruction(1n), topUp, memoInstruction('a')],
    ],
  ])('%s is what its bytes say', (_, instructions) => {
    expect(verifyTopUp(encodeTransaction(signedByBuyer(instructions)), asked).amount).toBe(1_000n)
  })

  test('may be of all that is agreed', () => {
    const most = topUpInstruction(asked, asked.mostAmount, asked)
    expect(verifyTopUp(encodeTransaction(signedByBuyer([most])), asked).amount).toBe(5_000_000n)
  })

  const draining = transferTokensInstruction({ from: operator, to: worker, mint: terms.mint, amount: 1n, decimals: 6 })
  const last = topUp.accounts.at(-1)
  test.each<[string, Instruction | readonly Instruction[], TopUpFault]>([
    ['with a payment of the operator', [topUp, draining], 'instructions'],
    ['twice', [topUp, topUp], 'instructions'],
    ['that asks to close instead', requestCloseInstruction({ channelId, payer: buyer }, asked), 'instructions'],
    ['of another program', topUpInstruction(asked, 1n, { channelProgram: place(9) }), 'instructions'],
    ['of another channel', topUpInstruction({ ...asked, channelId: place(8) }, 1n, asked), 'accounts'],
    ['in another token', topUpInstruction({ ...asked, mint: place(9) }, 1n, asked), 'accounts'],
    ['paid by the operator', topUpInstruction({ ...asked, payer: operator }, 1n, asked), 'accounts'],
    ['with one account more', { ...topUp, accounts: last === undefined ? [] : [...topUp.accounts, last] }, 'accounts'],
    ['of nothing', topUpInstruction(asked, 0n, asked), 'amount'],
    ['of more than agreed', topUpInstruction(asked, 5_000_001n, asked), 'amount'],
    ['with a byte more', { ...topUp, data: concatBytes(topUp.data, Uint8Array.of(0)) }, 'top_up_data'],
  ])('%s is refused', (_, instructions, code) => {
    const all = 'program' in instructions ? [instructions] : instructions
    expect(faultOf(signedByBuyer(all))).toBe(code)
  })

  test('whose fee the buyer pays is refused, and one that the buyer has not signed', () => {
    expect(faultOf(signedByBuyer([topUp], buyer))).toBe('fee_payer')
    const { messageBytes, signatures } = signedByBuyer([topUp])
    expect(faultOf({ messageBytes, signatures: signatures.map(() => null) })).toBe('signature')
  })

  test('of a payer who is the operator is refused', () => {
    const own = { ...asked, payer: operator }
    expect(faultOf(signedByBuyer([topUpInstruction(own, 1n, own)]), own)).toBe('payer')
  })
})
