import type { Payment } from '@ergon/core'
import { ed25519KeyOf, lowerAddress, networks, paymentInfoHash, toBase58, type Network } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createVoucherSigner } from '../channels/voucher-signer.ts'
import type { OpenMoney } from '../postgres/open-money.ts'
import { paymentInfoOf } from '../rails/order-request.ts'
import { openMoneyFaults, type ServedTerms } from './open-money-faults.ts'

const row = networks.localnet
const { escrow } = row
const { USDC } = row.tokens
if (escrow === undefined || USDC === undefined) throw new Error('the local chain has an escrow and USDC')

const address = (byte: string): `0x${string}` => `0x${byte.repeat(20)}`
const terms: Payment = {
  network: 'localnet',
  asset: { symbol: 'USDC', network: 'localnet', decimals: 6 },
  operator: lowerAddress(escrow.operator),
  payer: address('11'),
  receiver: address('22'),
  token: lowerAddress(USDC.address),
  maxAmount: 1_000_000n,
  preApprovalExpiry: 1_800_000_000,
  authorizationExpiry: 1_800_000_001,
  refundExpiry: 1_800_000_002,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: lowerAddress(escrow.operator),
  salt: 7n,
  hash: '0x',
}
const sample: Payment = {
  ...terms,
  hash: paymentInfoHash(paymentInfoOf(terms), row.chainId ?? 0, lowerAddress(escrow.escrow)),
}
const nothing: OpenMoney = { held: [], channels: [], promised: [], moving: [], fees: [], published: [] }
const seed = new Uint8Array(32).fill(3)
const voucherKey = toBase58(ed25519KeyOf(seed))
const solana = { network: 'solana', operator: 'operator', voucherKey, paysBounties: true }
const served: ServedTerms = { networks: [row], solana }
const channelId = toBase58(new Uint8Array(32).fill(9))
const voucher = { id: channelId, cumulative: 5n, signature: createVoucherSigner(seed).sign(channelId, 5n) }
const channels = { network: 'solana', payee: 'operator', count: 2, sample: voucher }

test('what can be brought to its end is not spoken of', () => {
  const open = {
    held: [{ count: 3, sample }],
    channels: [channels, { ...channels, sample: null }],
    promised: [{ network: 'solana', count: 1 }],
    moving: [{ network: 'localnet', count: 1 }],
    fees: [{ network: 'localnet', count: 1 }],
    published: [{ network: 'elsewhere', count: 9 }],
  }
  expect(openMoneyFaults(served, open)).toEqual([])
})

const withEscrow = (change: object): Network => ({ ...row, escrow: { ...escrow, ...change } })
const one = { held: [{ count: 1, sample }] }

test.each<readonly [string, Partial<OpenMoney>, Partial<ServedTerms>, RegExp]>([
  ['money in escrow', one, { networks: [] }, /^localnet is no longer served, and 1 job or payment of it is open/],
  ['channels', { channels: [channels] }, { solana: null }, /^solana is no longer served, and 2 jobs and payments/],
  ['a promise', { promised: [{ network: 'celo', count: 2 }] }, {}, /^celo is no longer served, and 2 jobs/],
  ['a payment under way', { moving: [{ network: 'celo', count: 1 }] }, {}, /^celo is no longer served/],
  ['fees', { fees: [{ network: 'celo', count: 1 }] }, {}, /^celo is no longer served/],
  ['another operator', one, { networks: [withEscrow({ operator: address('33') })] }, /under the operator contract 0x/],
  ['another escrow', one, { networks: [withEscrow({ escrow: address('33') })] }, /under another escrow contract or/],
  ['another chain', one, { networks: [{ ...row, chainId: 5 }] }, /under another escrow contract or chain id/],
  [
    'a row without an escrow',
    one,
    { networks: [{ ...row, escrow: undefined }] as never },
    /an escrow that the row has/,
  ],
  ['another token', one, { networks: [{ ...row, tokens: {} }] }, /under the token USDC 0x\w+, which the row has not/],
  [
    'another operator key',
    { channels: [channels] },
    { solana: { ...solana, operator: 'new' } },
    /^2 open channels of solana pay through operator, and SVC_SOLANA_OPERATOR_KEY is of new/,
  ],
  [
    'another voucher key',
    { channels: [channels] },
    { solana: { ...solana, voucherKey: toBase58(ed25519KeyOf(new Uint8Array(32).fill(4))) } },
    /^2 open channels of solana take vouchers of another key than SVC_SOLANA_VOUCHER_KEY/,
  ],
  [
    'bounties turned off',
    { promised: [{ network: 'solana', count: 1 }] },
    { solana: { ...solana, paysBounties: false } },
    /^1 open job of solana is paid at approval: leave SVC_SOLANA_BOUNTIES on/,
  ],
])('%s out of reach is a sentence', (_what, open, change, sentence) => {
  const found = openMoneyFaults({ ...served, ...change }, { ...nothing, ...open })
  expect(found.map((fault) => fault.sentence)).toEqual([expect.stringMatching(sentence)])
})
