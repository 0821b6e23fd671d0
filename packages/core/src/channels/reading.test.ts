import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Channel, ChannelStatus } from './channel.ts'
import { channelState, isMeterOver, readMeter } from './reading.ts'

const terms = { unit: 'scan', price: 300n, cap: 1_000n } as const
const channel = (changed: Partial<Channel> = {}): Channel => ({
  id: 'channel',
  taskId: 'task',
  executorId: 'executor',
  asset: { symbol: 'USDC', network: 'solana', decimals: 6 },
  payer: 'buyer',
  payee: 'operator',
  worker: 'worker',
  voucherSigner: 'operator',
  voucherKey: null,
  status: 'open',
  unit: 'scan',
  price: 300n,
  limit: 700n,
  deposit: 700n,
  measured: 2n,
  cumulative: 600n,
  measuredUntil: new Date(0),
  vouchers: 2,
  signature: 'signature',
  boundAt: new Date(0),
  updatedAt: new Date(0),
  closing: null,
  paid: null,
  end: null,
  ...changed,
})

test('before a channel is bound nothing is consumed, and the cap is what may be spent', () => {
  expect(readMeter(terms, null)).toEqual({
    state: 'unbound',
    limit: 1_000n,
    measured: 0n,
    consumed: 0n,
    remaining: 1_000n,
    worker: 0n,
    fee: 0n,
    settled: 0n,
    refund: null,
  })
})

test('a channel that holds less than the cap is what may be spent', () => {
  expect(readMeter(terms, channel())).toMatchObject({ limit: 700n, consumed: 600n, remaining: 100n, measured: 2n })
})

test.each([
  ['open', 'open', 0n, null],
  ['closing', 'closing', 0n, null],
  ['settled', 'settled', 600n, 100n],
  ['reclaimed', 'settled', 600n, 100n],
] as const)('a channel that is %s reads %s', (status: ChannelStatus, state, settled, refund) => {
  expect(readMeter(terms, channel({ status }))).toMatchObject({ state, settled, refund })
  expect(channelState({ status })).toBe(state)
})

test('worker and fee never get more than was consumed, and lose one unit of each to rounding at most', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), (cumulative) => {
      const { worker, fee } = readMeter(terms, channel({ cumulative, limit: cumulative, deposit: cumulative }))
      expect(worker).toBe((cumulative * 87n) / 100n)
      expect(cumulative - worker - fee >= 0n && cumulative - worker - fee <= 1n).toBe(true)
    }),
  )
})

test.each([
  [null, false, false],
  [null, true, true],
  ['open', true, false],
  ['closing', true, false],
  ['settled', true, true],
  ['reclaimed', false, true],
] as const)('a meter whose channel is %s, of a task that is over: %s, is over: %s', (status, isTaskOver, isOver) => {
  expect(isMeterOver(status === null ? null : { status }, isTaskOver)).toBe(isOver)
})
