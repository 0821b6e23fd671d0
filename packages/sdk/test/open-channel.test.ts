import {
  channelAddress,
  encodeTransaction,
  mainnetChannelProgram,
  memoInstruction,
  openInstruction,
  transferTokensInstruction,
  unsignedTransaction,
  type Instruction,
  type OpenTerms,
} from '@ergon/channels'
import { describe, expect, test } from 'vitest'
import {
  ChallengeMismatch,
  readOffer,
  solanaSeedSigner,
  wireText,
  type ExpectedOffer,
  type Output,
} from '../src/index.ts'

const [payer, worker, operator, voucher, thief] = [1, 2, 3, 4, 5].map(
  (byte) => solanaSeedSigner(new Uint8Array(32).fill(byte)).address,
) as [string, string, string, string, string] // five seeds make five addresses
const mint = solanaSeedSigner(new Uint8Array(32).fill(9)).address
const taskId = '01890000-0000-7000-8000-000000000000'
const programs = { channelProgram: mainnetChannelProgram }
const memo = `Channel of task ${taskId} at market.example`
const terms: OpenTerms = {
  ...{ payer, payee: operator, rentPayer: operator, mint, authorizedSigner: voucher, salt: 7n, openSlot: 5n },
  ...{ deposit: 1_000_000n, gracePeriodSec: 900, splits: [{ recipient: worker, bps: 8_700 }] },
}
const expected: ExpectedOffer = {
  ...{ task_id: taskId, payer, worker, mint, program_id: mainnetChannelProgram, service: 'market.example' },
  deposits: { least: 1_000_000n, most: 1_000_000n },
}

function offerOf(
  change: Partial<OpenTerms> = {},
  instructions: (open: Instruction) => readonly Instruction[] = (open) => [open, memoInstruction(memo)],
): Output<'channels.offer'> {
  const said = { ...terms, ...change }
  const unsigned = unsignedTransaction(
    said.rentPayer,
    '11111111111111111111111111111111',
    instructions(openInstruction(said, programs)),
  )
  return {
    task_id: taskId,
    channel_id: channelAddress(said, mainnetChannelProgram).address,
    ...{ network: 'solana', program_id: mainnetChannelProgram, mint, token: 'USDC', payer, payee: operator, worker },
    ...{ splits: [{ recipient: worker, bps: 8_700 }], authorized_signer: voucher, voucher_signer: 'operator' },
    ...{ unit: 'scan', price_per_unit: '0.05', cap_usd: 1, deposit_usd: 1, grace_period_seconds: 900, memo },
    transaction: wireText(encodeTransaction(unsigned)),
  }
}

test('an offer that does what was agreed is read as it is', () => {
  expect(readOffer(offerOf(), expected)).toMatchObject({ deposit: 1_000_000n, payer, payee: operator })
})

describe('what a service that was taken over might ask a payer to sign is refused before anything is signed', () => {
  const steal = transferTokensInstruction({ from: payer, to: thief, mint, amount: 5n, decimals: 6 })
  test.each<[string, Output<'channels.offer'>, Partial<ExpectedOffer>?]>([
    ['more money', offerOf({ deposit: 1_000_001n })],
    ['less money than the service says', offerOf({ deposit: 1n })],
    ['the share of the worker for another', offerOf({ splits: [{ recipient: thief, bps: 8_700 }] })],
    ['a smaller share', offerOf({ splits: [{ recipient: worker, bps: 100 }] })],
    ['a longer time until the payer may leave', offerOf({ gracePeriodSec: 90_000 })],
    ['a signer of vouchers whom nobody named', offerOf({ authorizedSigner: thief })],
    ['rent of the payer', offerOf({ rentPayer: payer })],
    ['a transfer beside it', offerOf({}, (open) => [open, steal])],
    ['a transfer before it', offerOf({}, (open) => [steal, open, memoInstruction(memo)])],
    ['the memo of another task', offerOf({}, (open) => [open, memoInstruction('another')])],
    ['no memo', offerOf({}, (open) => [open])],
    ['another token', offerOf(), { mint: thief }],
    ['another program', offerOf(), { program_id: thief }],
    ['another signer than the one that was named', offerOf(), { authorized_signer: thief }],
    ['another worker', offerOf(), { worker: thief }],
    ['another task', offerOf(), { task_id: '01890000-0000-7000-8000-000000000001' }],
    ['another service', offerOf(), { service: 'evil.example' }],
  ])('%s', (_, offer, change = {}) => {
    expect(() => readOffer(offer, { ...expected, ...change })).toThrow(ChallengeMismatch)
  })
})
