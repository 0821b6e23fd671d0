import { ProtocolError } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  canReclaim,
  canSeal,
  canTakeLastVoucher,
  channelErrorOf,
  channelErrors,
  channelAddress,
  closeInstructions,
  computeLimitInstruction,
  computePriceInstruction,
  encodeChannel,
  encodeTransaction,
  graceEndsAt,
  payOutInstructions,
  readAgreedChannel,
  sealInstructions,
  settleInstruction,
  signVoucher,
  splitsHash,
  treasuryOwners,
  unsignedTransaction,
  voucherFault,
  withdrawPayerInstruction,
  reclaimInstruction,
  type AgreedChannel,
  type ChannelAccount,
  type ChannelFault,
  type Closing,
  type VoucherFault,
} from '../src/index.ts'
import { agreed, blockhash, buyer, channelId, keyOf, operator, place, filled, terms, worker } from './opening.ts'

const channel: ChannelAccount = {
  ...terms,
  bump: channelAddress(terms, agreed.channelProgram).bump,
  status: 'open',
  settled: 1_000n,
  payoutWatermark: 0n,
  closureStartedAt: 0n,
  payerWithdrawnAt: 0n,
  distributionHash: splitsHash(terms.splits),
}
const voucher = { channelId, cumulative: 2_000n, expiresAt: 0n }
const closing = { ...channel, status: 'closing', closureStartedAt: 10_000n } as const

describe('a voucher that the program would settle', () => {
  test.each<[string, ChannelAccount, typeof voucher, bigint, VoucherFault | undefined]>([
    ['above what is settled', channel, voucher, 0n, undefined],
    ['of all that was put in', channel, { ...voucher, cumulative: 5_000_000n }, 0n, undefined],
    ['in its last second', channel, { ...voucher, expiresAt: 100n }, 99n, undefined],
    ['in the last second of grace', closing, voucher, 10_899n, undefined],
    ['of what is settled', channel, { ...voucher, cumulative: 1_000n }, 0n, 'not_above_settled'],
    ['below what is settled', channel, { ...voucher, cumulative: 999n }, 0n, 'not_above_settled'],
    ['of more than was put in', channel, { ...voucher, cumulative: 5_000_001n }, 0n, 'over_deposit'],
    ['whose time is over', channel, { ...voucher, expiresAt: 100n }, 100n, 'expired'],
    ['of another channel', channel, { ...voucher, channelId: place(9) }, 0n, 'wrong_channel'],
    ['after the grace', closing, voucher, 10_900n, 'wrong_status'],
    ['of a sealed channel', { ...channel, status: 'sealed' }, voucher, 0n, 'wrong_status'],
    ['of a spent channel', { ...channel, status: 'distributed' }, voucher, 0n, 'wrong_status'],
  ])('%s', (_, account, one, now, fault) => {
    expect(voucherFault(account, channelId, one, now)).toBe(fault)
  })
})

test('a payer who asks to leave waits for the grace period, and then anybody seals', () => {
  expect(graceEndsAt(closing)).toBe(10_900n)
  for (const [now, last, seal] of [
    [10_899n, true, false],
    [10_900n, false, true],
  ] as const) {
    expect(canTakeLastVoucher(closing, now)).toBe(last)
    expect(canSeal(closing, now)).toBe(seal)
  }
  expect(canSeal(channel, 99_999n)).toBe(false)
})

test('the rent of a spent channel comes back 1,500 slots after its open slot', () => {
  const spent = { ...channel, status: 'distributed' } as const
  expect(canReclaim(spent, terms.openSlot + 1_500n)).toBe(false)
  expect(canReclaim(spent, terms.openSlot + 1_501n)).toBe(true)
  expect(canReclaim(channel, terms.openSlot + 1_501n)).toBe(false)
})

describe('a channel to meter on', () => {
  const wanted: AgreedChannel = { ...agreed, rentPayer: operator, leastDeposit: 5_000_000n }
  const held = (data: Uint8Array, owner = agreed.channelProgram) => ({ owner, data, lamports: 1n, slot: 1n })
  const faultOf = (account: ReturnType<typeof held> | null, at = channelId): string => {
    try {
      readAgreedChannel(at, account, wanted)
      return 'none'
    } catch (error) {
      if (error instanceof ProtocolError) return error.code
      throw error
    }
  }

  test('is read from the ledger', () => {
    expect(readAgreedChannel(channelId, held(encodeChannel(channel)), wanted)).toMatchObject({ deposit: 5_000_000n })
  })

  const moved = (changed: Partial<ChannelAccount>): [ChannelAccount, string] => {
    const account = { ...channel, ...changed }
    const { address, bump } = channelAddress(account, agreed.channelProgram)
    return [{ ...account, bump }, address]
  }

  test.each<[string, Partial<ChannelAccount>, ChannelFault | 'none']>([
    ['with another salt', { salt: 7n }, 'none'],
    ['sealed', { status: 'sealed' }, 'not_open'],
    ['closing', { status: 'closing', closureStartedAt: 5n }, 'not_open'],
    ['spent', { status: 'distributed' }, 'not_open'],
    ['open though its end was asked for', { closureStartedAt: 5n }, 'not_open'],
    ['of another payer', { payer: keyOf(9) }, 'wrong_payer'],
    ['for another payee', { payee: keyOf(9) }, 'wrong_payee'],
    ['in another token', { mint: place(9) }, 'wrong_mint'],
    ['with another voucher key', { authorizedSigner: keyOf(9) }, 'wrong_signer'],
    ['whose rent another paid', { rentPayer: keyOf(9) }, 'wrong_rent_payer'],
    ['with other shares', { distributionHash: splitsHash([]) }, 'wrong_splits'],
    ['with less in it', { deposit: 4_999_999n }, 'small_deposit'],
    ['with less time for the last voucher', { gracePeriodSec: 899 }, 'short_grace_period'],
  ])('%s', (_, changed, fault) => {
    const [account, address] = moved(changed)
    expect(faultOf(held(encodeChannel(account)), address)).toBe(fault)
  })

  test('nothing, another program, other data, another address, another bump', () => {
    const data = encodeChannel(channel)
    expect(faultOf(null)).toBe('not_on_chain')
    expect(faultOf(held(data, place(9)))).toBe('not_a_channel')
    expect(faultOf(held(data.slice(1)))).toBe('not_a_channel')
    expect(faultOf(held(data), place(9))).toBe('wrong_address')
    expect(faultOf(held(encodeChannel({ ...channel, bump: channel.bump - 1 })))).toBe('wrong_address')
  })
})

describe('the end of a channel in one transaction', () => {
  const last = { voucher, signature: signVoucher(voucher, filled(4)) }
  const end: Closing = {
    channelId,
    channel,
    splits: terms.splits,
    treasuryOwner: treasuryOwners.localnet,
    missingAccountsOf: [],
  }
  const kinds = (instructions: ReturnType<typeof closeInstructions>): readonly string[] =>
    instructions.map(({ program, data }) => (program === agreed.channelProgram ? `channel ${data[0]}` : program))

  test('proves the last voucher just before it seals, and pays out', () => {
    expect(kinds(closeInstructions(end, last, agreed))).toEqual([
      'Ed25519SigVerify111111111111111111111111111',
      'channel 4',
      'channel 7',
    ])
    expect(closeInstructions(end, last, agreed)[1]?.data[1]).toBe(1)
  })

  test.each([
    ['no voucher', null],
    ['a voucher of what is settled', { ...last, voucher: { ...voucher, cumulative: 1_000n } }],
  ])('seals with what is settled where there is %s', (_, none) => {
    expect(kinds(closeInstructions(end, none, agreed))).toEqual(['channel 4', 'channel 7'])
    expect(closeInstructions(end, none, agreed)[0]?.data[1]).toBe(0)
  })

  test('makes every missing account first, and still fits into one packet', () => {
    const missingAccountsOf = [worker, operator, treasuryOwners.localnet, buyer]
    const instructions = closeInstructions({ ...end, missingAccountsOf }, last, agreed)
    const budget = [computeLimitInstruction(200_000), computePriceInstruction(1_000n)]
    expect(kinds(instructions).slice(0, 4)).toEqual(Array(4).fill('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'))
    expect(
      encodeTransaction(unsignedTransaction(operator, blockhash, [...budget, ...instructions])).length,
    ).toBeLessThanOrEqual(1_232)
  })

  test('needs nobody but the operator', () => {
    const { message } = unsignedTransaction(operator, blockhash, closeInstructions(end, last, agreed))
    expect(message.signers).toEqual([operator])
    const byAnybody = [...sealInstructions(end, agreed), settleInstruction(channelId, agreed)]
    expect(unsignedTransaction(worker, blockhash, byAnybody).message.signers).toEqual([worker])
    expect(kinds(sealInstructions(end, agreed))).toEqual(['channel 6', 'channel 7'])
    expect(kinds(payOutInstructions(end, agreed))).toEqual(['channel 7'])
  })

  test('every other instruction names what the program asks for, in its order', () => {
    const flags = ({ signer, writable }: { signer: boolean; writable: boolean }): string =>
      `${writable ? 'w' : '-'}${signer ? 's' : '-'}`
    const at = { channelId, payer: buyer, mint: terms.mint }
    const withdrawal = withdrawPayerInstruction(at, agreed)
    expect(withdrawal.accounts.map(flags)).toEqual(['-s', 'w-', 'w-', 'w-', '--', '--'])
    const reclaim = reclaimInstruction({ channelId, rentPayer: operator }, agreed)
    expect(reclaim.accounts.map(flags)).toEqual(['w-', 'w-'])
    expect([...reclaim.data]).toEqual([9])
    const [distribution] = payOutInstructions(end, agreed)
    expect(distribution?.accounts.map(flags)).toEqual([...Array(7).fill('w-'), ...Array(4).fill('--'), 'w-'])
  })
})

describe('the errors of the program', () => {
  test.each<[number, string]>([
    [2, 'wrong_status'],
    [5, 'wrong_payer'],
    [6, 'wrong_payee'],
    [7, 'wrong_mint'],
    [10, 'wrong_rent_payer'],
    [200, 'zero_deposit'],
    [201, 'zero_grace_period'],
    [230, 'voucher_not_proved'],
    [231, 'voucher_malformed'],
    [232, 'voucher_of_another_channel'],
    [233, 'voucher_expired'],
    [234, 'voucher_not_above_settled'],
    [235, 'voucher_over_deposit'],
    [237, 'voucher_by_another_signer'],
    [238, 'voucher_without_magic'],
    ...[260, 261, 262, 263].map((number): [number, string] => [number, 'splits_refused']),
    [2000, 'wrong_channel_address'],
    [2003, 'open_slot_out_of_window'],
    [2201, 'grace_period_not_over'],
    [2401, 'wrong_treasury'],
    [2407, 'wrong_splits'],
    [2408, 'nothing_to_distribute'],
    [2414, 'reclaim_too_early'],
  ])('%i is %s, by whichever instruction', (number, name) => {
    expect(channelErrorOf({ InstructionError: [1, { Custom: number }] })).toBe(name)
    expect(channelErrorOf({ InstructionError: [4, { Custom: BigInt(number) }] })).toBe(name)
  })

  test.each<[string, unknown]>([
    ['no error', null],
    ['a failure of the transaction', 'AccountNotFound'],
    ['one with an object', { InsufficientFundsForRent: { account_index: 0 } }],
    ['a failure that the runtime names', { InstructionError: [0, 'InvalidArgument'] }],
    ['no cause', { InstructionError: [0, null] }],
    ['a cause without a number', { InstructionError: [0, { BorshIoError: 'x' }] }],
    ['a number of another program', { InstructionError: [0, { Custom: 1 }] }],
    ['a number where a list is', { InstructionError: 0 }],
    ['a cause where a list is', { InstructionError: { Custom: 200 } }],
    ['a number as a text', { InstructionError: [0, { Custom: '200' }] }],
    ['a name that every object has', { InstructionError: [0, { Custom: 'toString' }] }],
  ])('%s is none of them', (_, error) => {
    expect(channelErrorOf(error)).toBeUndefined()
  })

  test('each number has one name', () => {
    expect(Object.keys(channelErrors)).toHaveLength(26)
  })
})
