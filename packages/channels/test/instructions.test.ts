import { fromBase58 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import {
  associatedTokenAccount,
  createTokenAccountInstruction,
  distributeInstruction,
  eventAuthority,
  openInstruction,
  reclaimInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleAndSealInstruction,
  settleInstruction,
  token2022Program,
  tokenProgram,
  topUpInstruction,
  transferTokensInstruction,
  voucherProofInstruction,
  withdrawPayerInstruction,
  type Instruction,
} from '../src/index.ts'
import { encodeSplits } from '../src/splits.ts'
import { agreed, buyer, channelId, operator, place, terms, usdc, voucherKey, worker } from './opening.ts'

const program = agreed.channelProgram
const treasury = place(8)
const instructions = 'Sysvar1nstructions1111111111111111111111111'
const system = '11111111111111111111111111111111'
const rent = 'SysvarRent111111111111111111111111111111111'
const associated = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const own = [eventAuthority(program), program]

/** As the interface of the program lists them: `s` signs, `w` is written to. */
const accountsOf = ({ accounts }: Instruction): readonly string[] =>
  accounts.map(({ address, signer, writable }) => `${signer ? 's' : '-'}${writable ? 'w' : '-'} ${address}`)

describe.each([
  ['SPL Token', tokenProgram, {}],
  ['SPL Token where none is named', tokenProgram, { tokenProgram: undefined }],
  ['another token program', token2022Program, { tokenProgram: token2022Program }],
])('with %s', (_, tokens, { tokenProgram: named }: { tokenProgram?: string | undefined }) => {
  const programs = { channelProgram: program, ...(named === undefined ? {} : { tokenProgram: named }) }
  const accountOf = (owner: string): string => associatedTokenAccount(owner, usdc, tokens)
  const channel = { channelId, payer: buyer, payee: operator, mint: usdc, rentPayer: operator }
  const [payerTokens, escrow] = [accountOf(buyer), accountOf(channelId)]

  test.each<[string, number, Instruction, readonly string[], readonly number[]]>([
    [
      'open',
      1,
      openInstruction(terms, programs),
      [
        ...[`sw ${buyer}`, `sw ${operator}`, `-- ${operator}`, `-- ${usdc}`, `-- ${voucherKey}`, `-w ${channelId}`],
        ...[
          `-w ${payerTokens}`,
          `-w ${escrow}`,
          ...[tokens, system, rent, associated, ...own].map((one) => `-- ${one}`),
        ],
      ],
      [
        42,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        64,
        75,
        76,
        0,
        0,
        0,
        0,
        0,
        132,
        3,
        0,
        0,
        232,
        3,
        0,
        0,
        0,
        0,
        0,
        0,
        ...encodeSplits(terms.splits),
      ],
    ],
    ['settle', 2, settleInstruction(channelId, programs), [`-w ${channelId}`, `-- ${instructions}`], []],
    [
      'topUp',
      3,
      topUpInstruction(channel, 5n, programs),
      [`sw ${buyer}`, `-w ${channelId}`, `-w ${payerTokens}`, `-w ${escrow}`, `-- ${usdc}`, `-- ${tokens}`],
      [5, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
      'settleAndSeal with a voucher',
      4,
      settleAndSealInstruction(channel, true, programs),
      [`s- ${operator}`, `-w ${channelId}`, `-- ${instructions}`],
      [1],
    ],
    [
      'settleAndSeal without one',
      4,
      settleAndSealInstruction(channel, false, programs),
      [`s- ${operator}`, `-w ${channelId}`, `-- ${instructions}`],
      [0],
    ],
    ['requestClose', 5, requestCloseInstruction(channel, programs), [`s- ${buyer}`, `-w ${channelId}`], []],
    ['seal', 6, sealInstruction(channelId, programs), [`-w ${channelId}`], []],
    [
      'distribute',
      7,
      distributeInstruction({ ...channel, splits: terms.splits, treasuryOwner: treasury }, programs),
      [
        ...[channelId, buyer, operator, escrow, payerTokens, accountOf(operator), accountOf(treasury)].map(
          (one) => `-w ${one}`,
        ),
        ...[usdc, tokens, ...own].map((one) => `-- ${one}`),
        `-w ${accountOf(worker)}`,
      ],
      [...encodeSplits(terms.splits)],
    ],
    [
      'withdrawPayer',
      8,
      withdrawPayerInstruction(channel, programs),
      [`s- ${buyer}`, `-w ${channelId}`, `-w ${escrow}`, `-w ${payerTokens}`, `-- ${usdc}`, `-- ${tokens}`],
      [],
    ],
    ['reclaim', 9, reclaimInstruction(channel, programs), [`-w ${channelId}`, `-w ${operator}`], []],
  ])('%s is number %i and names its accounts', (_name, number, instruction, accounts, data) => {
    expect(instruction.program).toBe(program)
    expect(accountsOf(instruction)).toEqual(accounts)
    expect([...instruction.data]).toEqual([number, ...data])
  })

  test('a token account is made at the cost of its funder, and tokens move with their mint checked', () => {
    const made = createTokenAccountInstruction({ funder: buyer, owner: worker, mint: usdc, ...programs })
    expect(made.program).toBe(associated)
    expect(accountsOf(made)).toEqual([
      `sw ${buyer}`,
      `-w ${accountOf(worker)}`,
      ...[worker, usdc, system, tokens].map((one) => `-- ${one}`),
    ])
    expect([...made.data]).toEqual([1])
    const moved = transferTokensInstruction({
      from: buyer,
      to: worker,
      mint: usdc,
      amount: 5n,
      decimals: 6,
      ...programs,
    })
    expect(moved.program).toBe(tokens)
    expect(accountsOf(moved)).toEqual([`-w ${payerTokens}`, `-- ${usdc}`, `-w ${accountOf(worker)}`, `s- ${buyer}`])
    expect([...moved.data]).toEqual([12, 5, 0, 0, 0, 0, 0, 0, 0, 6])
  })
})

test('a proof takes a signature of 64 bytes', () => {
  const voucher = { channelId, cumulative: 1n, expiresAt: 0n }
  expect(fromBase58(channelId)).toHaveLength(32)
  expect(() => voucherProofInstruction(voucher, channelId, voucherKey)).toThrow(
    expect.objectContaining({ code: 'malformed', message: 'a signature is 64 bytes in base58' }),
  )
})
