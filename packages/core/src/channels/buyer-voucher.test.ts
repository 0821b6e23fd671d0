import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { boughtBy } from './buyer-voucher.ts'
import { boundChannel, type Channel, type GivenVoucher } from './channel.ts'

const at = new Date('2026-11-21T12:00:00Z')
const later = (ms: number): Date => new Date(at.getTime() + ms)
const key = 'key of the buyer'

const channel = (change: Partial<Channel> = {}): Channel => ({
  ...boundChannel(
    {
      id: 'channel',
      taskId: 'task',
      executorId: 'executor',
      asset: { symbol: 'USDC', network: 'solana', decimals: 6 },
      payer: 'payer',
      payee: 'payee',
      worker: 'worker',
      voucherSigner: 'client',
      voucherKey: key,
      deposit: 1_000n,
      unit: 'scan',
      price: 300n,
      limit: 1_000n,
    },
    at,
  ),
  measured: 1n,
  cumulative: 300n,
  ...change,
})
const voucher = (change: Partial<GivenVoucher> = {}): GivenVoucher => ({
  channelId: 'channel',
  cumulative: 600n,
  signer: null,
  signature: 'signed',
  ...change,
})

function bought(of: Channel, given: GivenVoucher | null, now = at, signs = true): unknown {
  const asked: unknown[] = []
  const isSigned = (...words: unknown[]): boolean => {
    asked.push(words)
    return signs
  }
  try {
    return { ...boughtBy(of, key, given, { now, isSigned }), asked }
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
    return [error.code, error.details, asked.length]
  }
}

const refused = (fault: string, asked = 0) => [
  'VALIDATION_FAILED',
  {
    field: 'voucher',
    fault,
    constraint: "the buyer's voucher over all that was accepted and this unit",
    accepted_uusdc: '300',
    price_uusdc: '300',
  },
  asked,
]

describe("what a buyer's voucher buys", () => {
  test('one more unit, by the signature that came with it', () => {
    expect(bought(channel(), voucher())).toEqual({
      measured: 2n,
      cumulative: 600n,
      amount: 300n,
      measuredUntil: at,
      signature: 'signed',
      asked: [[voucher(), key]],
    })
  })
  test('the same where it names its key', () => {
    expect(bought(channel(), voucher({ signer: key }))).toMatchObject({ cumulative: 600n })
  })
  test('up to the limit, exactly', () => {
    expect(
      bought(channel({ measured: 2n, cumulative: 600n, limit: 800n }), voucher({ cumulative: 800n })),
    ).toMatchObject({ cumulative: 800n, amount: 200n })
  })
  test('of time, less than has passed', () => {
    const timed = channel({ unit: 'second', price: 1_000n, measured: 0n, cumulative: 0n })
    expect(bought(timed, voucher({ cumulative: 400n }), later(900))).toMatchObject({
      measured: 400n,
      cumulative: 400n,
      measuredUntil: later(400),
    })
  })

  test.each([
    ['nothing', null, 'missing'],
    ['one of another channel', voucher({ channelId: 'other' }), 'other_channel'],
    ['one that names another key', voucher({ signer: 'other' }), 'other_signer'],
    ['one over what was accepted already', voucher({ cumulative: 300n }), 'not_raised'],
    ['one over less', voucher({ cumulative: 299n }), 'not_raised'],
    ['one over more than a unit', voucher({ cumulative: 601n }), 'another_amount'],
    ['one over less than a unit', voucher({ cumulative: 599n }), 'another_amount'],
  ])('%s is refused before its signature is looked at', (_what, given, fault) => {
    expect(bought(channel(), given)).toEqual(refused(fault))
  })
  test('one over more time than has passed is refused', () => {
    expect(bought(channel({ unit: 'second' }), voucher({ cumulative: 600n }), later(10))).toEqual(
      refused('more_than_the_time'),
    )
  })
  test('one over more than the limit says that the limit is reached', () => {
    expect(bought(channel(), voucher({ cumulative: 1_001n }))).toEqual([
      'SESSION_CAP_EXCEEDED',
      { limit_uusdc: '1000' },
      0,
    ])
  })
  test('one that its key did not sign is refused', () => {
    expect(bought(channel(), voucher(), at, false)).toEqual(refused('signature', 1))
  })
})
