import { describe, expect, test } from 'vitest'
import { charge } from '../testing/scripted-money.ts'
import { refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import {
  cashOutLimits,
  claimedCashOut,
  leastOf,
  nonceUsed,
  orderOf,
  requireSameWords,
  requireSendable,
  requireShortlyValid,
  requireWorthSending,
  toldOf,
  unsent,
  unsentKeptMs,
} from './cash-out.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const amount = (atomic: bigint) => ({ atomic, asset })
const { transfer } = charge({ amount: amount(2_500_000n), to: '0xab', nonce: '0x01', validBefore: 1_000n })
const one = claimedCashOut('id', scriptedNow, transfer)
const words = { network: 'localnet', amount: transfer.amount, to: '0xab', validBefore: 1_000n, nonce: '0x01' }

test('of one wallet and to one address three a day, at least a dollar, and unsent ones are kept for thirty days', () => {
  expect(cashOutLimits).toEqual({
    perWalletDay: 3,
    perAddressDay: 3,
    leastDollars: 1n,
    validSec: 600,
    leastValidSec: 30,
  })
  expect(leastOf({ ...asset, decimals: 2 })).toBe(100n)
  expect(unsentKeptMs).toBe(2_592_000_000)
})

test('its wallet is told that it was sent, or why not, and nothing before', () => {
  const said = { nonce: '0x01', network: 'localnet', token: 'USDC', amount_usd: 2.5, to: '0xab' }
  expect([
    toldOf(one, { status: 'confirmed', txHash: '0x02' }),
    toldOf(one, { status: 'refused', code: 'AUTHORIZATION_EXPIRED' }),
    toldOf(one, { status: 'refused' }),
    toldOf(one, { status: 'in_doubt', txHash: '0x02' }),
    toldOf(one, { status: 'claimed' }),
  ]).toEqual([
    { type: 'cash_out.sent', data: { ...said, tx_hash: '0x02' } },
    { type: 'cash_out.failed', data: { ...said, code: 'AUTHORIZATION_EXPIRED' } },
    { type: 'cash_out.failed', data: { ...said, code: 'SETTLEMENT_FAILED' } },
    null,
    null,
  ])
})

test.each([
  [1_000_000n, null],
  [999_999n, ['AMOUNT_MISMATCH', { network: 'localnet', required_usdc: 0.999999, least_usdc: 1 }]],
])('%s atomic units are worth sending or not', async (atomic, refusal) => {
  expect(
    await refusalOf(() => {
      requireWorthSending(amount(atomic))
    }),
  ).toEqual(refusal)
})

test('the least amount is said in words', () => {
  expect(() => {
    requireWorthSending(amount(1n))
  }).toThrow('A cash-out is of US$1 at least.')
})

describe('an authorization', () => {
  const now = new Date(scriptedNow.getTime() + 900)
  const seconds = BigInt(scriptedNow.getTime() / 1_000)
  test.each([
    [29n, false],
    [30n, true],
    [600n, true],
    [601n, false],
    [-1n, false],
  ])('that ends %s seconds from now is taken: %s', async (left, isTaken) => {
    const refusal = await refusalOf(() => {
      requireShortlyValid(seconds + left, now)
    })
    expect(refusal).toEqual(isTaken ? null : ['INVALID_PAYMENT_AUTH', { constraint: 'valid for 30 to 600 seconds' }])
  })

  test('that lives too long is refused in words', () => {
    expect(() => {
      requireShortlyValid(seconds + 700n, now)
    }).toThrow('The authorization must be valid for 30 to 600 seconds from now.')
  })
})

test.each([
  [2_500_000n, null],
  [2_499_999n, 2.499999],
  [0n, 0],
  [-5n, 0],
])('who may send %s sends two and a half dollars, or hears how much', async (sendable, left) => {
  const refusal = await refusalOf(() => {
    requireSendable(sendable, transfer.amount)
  })
  expect(refusal).toEqual(
    left === null ? null : ['INSUFFICIENT_FUNDS', { network: 'localnet', required_usdc: 2.5, sendable_usdc: left }],
  )
})

test('what may be sent is said in words', () => {
  expect(() => {
    requireSendable(1_500_000n, transfer.amount)
  }).toThrow('Without gas you can send what you earned here and did not spend: US$1.5 now.')
})

test('it begins as a claim, its first copy under way for thirty seconds', () => {
  expect(one).toEqual({
    id: 'id',
    transfer,
    status: 'claimed',
    code: null,
    txHash: null,
    attempts: 0,
    sentUntil: new Date(scriptedNow.getTime() + 30_000),
    createdAt: scriptedNow,
  })
  expect(orderOf(one)).toEqual({ kind: 'charge', key: 'cash-out:id', transfer })
})

describe('a nonce that is given again', () => {
  test.each([
    ['the same words', {}],
    ['the address in another case', { to: '0xAB' }],
  ])('with %s is the same cash-out', async (_what, change) => {
    expect(
      await refusalOf(() => {
        requireSameWords(one, { ...words, ...change })
      }),
    ).toBeNull()
  })

  test.each([
    ['another address', { to: '0xac' }],
    ['another amount', { amount: amount(2_500_001n) }],
    ['another token', { amount: { ...transfer.amount, asset: { ...asset, symbol: 'EURC' } } }],
    ['another network', { network: 'base' }],
    ['another end', { validBefore: 1_001n }],
  ])('with %s is refused', async (_what, change) => {
    expect(
      await refusalOf(() => {
        requireSameWords(one, { ...words, ...change })
      }),
    ).toEqual(['PAYMENT_AUTH_USED', { nonce: '0x01' }])
  })

  test('is told so', () => {
    expect(nonceUsed('0x01').message).toBe('This nonce was used before. Sign again with a new one.')
  })
})

test.each([
  ['SETTLEMENT_FAILED', 'The money could not be sent and is in your wallet as before.'],
  ['AUTHORIZATION_EXPIRED', 'The authorization ran out before it was on chain. The money is in your wallet as before.'],
  ['PAYMENT_AUTH_USED', 'The signature was used for something else, or withdrawn. Nothing was sent by it.'],
  ['GAS_BUDGET_SPENT', "Today's gas for payments is spent. Nothing was sent."],
] as const)('nothing sent because of %s says where the money is', (code, message) => {
  const said = unsent({ ...one, status: 'refused', code })
  expect([said.code, said.message]).toEqual([code, message])
  expect(said.details).toEqual({ network: 'localnet', required_usdc: 2.5, nonce: '0x01' })
})

test('any other reason is said as the catalogue says it, and no reason is a failure', () => {
  const said = unsent({ ...one, code: 'WALLET_BLOCKED' })
  expect([said.code, said.hasOwnMessage]).toEqual(['WALLET_BLOCKED', false])
  expect(unsent(one).code).toBe('SETTLEMENT_FAILED')
})
