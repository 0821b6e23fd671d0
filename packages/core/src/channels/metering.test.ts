import type { MeterUnit } from '@ergon/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canMoveChannel, channelLife, type ChannelMove, type ChannelStatus } from './channel.ts'
import {
  chargeOf,
  isSpent,
  isTimed,
  limitOf,
  mostVouchers,
  partsPerUnit,
  readMeterTerms,
  tickOf,
  tickOfVoucher,
  type Meter,
} from './metering.ts'

const start = new Date('2026-11-23T00:00:00Z')
const after = (ms: number): Date => new Date(start.getTime() + ms)
const units: readonly MeterUnit[] = [
  'observation',
  'second',
  'minute',
  'hour',
  'scan',
  'token',
  'byte',
  'request',
  'item',
]
const meter = (changed: Partial<Meter> = {}): Meter => ({
  unit: 'observation',
  price: 300n,
  limit: 1_000n,
  measured: 0n,
  cumulative: 0n,
  measuredUntil: start,
  ...changed,
})

describe('a tick', () => {
  test('of a countable unit counts one, whenever it comes', () => {
    expect(tickOf(meter(), after(0))).toMatchObject({ measured: 1n, amount: 300n, cumulative: 300n })
    expect(tickOf(meter(), after(9_999_999))).toMatchObject({ measured: 1n, amount: 300n })
  })

  test('is trimmed to what is left, and after that nothing is', () => {
    const last = tickOf(meter({ measured: 3n, cumulative: 900n }), start)
    expect(last).toMatchObject({ amount: 100n, cumulative: 1_000n })
    expect(isSpent({ ...meter({ cumulative: 999n }), vouchers: mostVouchers - 1 })).toBe(false)
    expect(isSpent({ ...meter({ cumulative: 1_000n }), vouchers: 0 })).toBe(true)
    expect(isSpent({ ...meter(), vouchers: mostVouchers })).toBe(true)
    expect(tickOf(meter({ ...last }), start).amount).toBe(0n)
  })

  test.each([
    ['second', 0, 0n],
    ['second', 1, 3n],
    ['second', 999, 2_997n],
    ['second', 1_000, 3_000n],
    ['second', 60_000, 3_000n],
    ['minute', 30_000, 1_500n],
    ['minute', 120_000, 3_000n],
    ['hour', 1_800_000, 1_500n],
    ['hour', -5, 0n],
  ] as const)('of a %s after %i ms costs %s: the covered fraction, one unit at most', (unit, ms, amount) => {
    const tick = tickOf(meter({ unit, price: 3_000n, limit: 10n ** 9n }), after(ms))
    expect(tick.amount).toBe(amount)
    expect(tick.measuredUntil).toEqual(after(Math.max(0, ms)))
  })

  test('a fraction that costs nothing yet is not lost', () => {
    const hourly = meter({ unit: 'hour', price: 1_000n, limit: 10n ** 9n })
    const first = tickOf(hourly, after(1_000))
    expect(first).toMatchObject({ amount: 0n, measured: 1_000n })
    expect(tickOf({ ...hourly, ...first }, after(3_600)).cumulative).toBe(1n)
  })
})

test('the limit is the cap, or the deposit where that is less', () => {
  expect(limitOf({ cap: 5n }, 9n)).toBe(5n)
  expect(limitOf({ cap: 9n }, 5n)).toBe(5n)
})

test('three units are of time', () => {
  expect(units.filter(isTimed)).toEqual(['second', 'minute', 'hour'])
  expect(units.map(partsPerUnit)).toEqual([1n, 1_000n, 60_000n, 3_600_000n, 1n, 1n, 1n, 1n, 1n])
})

test('whatever is ticked: what was paid is what was measured up to the limit, and vouchers never go back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...units),
      fc.bigInt({ min: 1n, max: 10n ** 7n }),
      fc.bigInt({ min: 0n, max: 10n ** 8n }),
      fc.array(fc.integer({ min: -1_000, max: 5_000_000 }), { maxLength: 40 }),
      (unit, price, limit, steps) => {
        let now = start
        let state = meter({ unit, price, limit })
        let paid = 0n
        for (const step of steps) {
          now = new Date(now.getTime() + step)
          const tick = tickOf(state, now)
          expect(tick.amount >= 0n).toBe(true)
          expect(tick.cumulative >= state.cumulative && tick.cumulative <= limit).toBe(true)
          expect(tick.measured - state.measured <= partsPerUnit(unit)).toBe(true)
          paid += tick.amount
          state = { ...state, ...tick }
        }
        const worth = (state.measured * price) / partsPerUnit(unit)
        expect(paid).toBe(worth < limit ? worth : limit)
        expect(state.cumulative).toBe(paid)
        expect(chargeOf(state, state.measured)).toBe(paid)
      },
    ),
  )
})

test('a channel is closed before it is settled, and settled before it is reclaimed', () => {
  const statuses: readonly ChannelStatus[] = ['open', 'closing', 'settled', 'reclaimed']
  // The keys of a literal are its own.
  const moves = Object.keys(channelLife) as readonly ChannelMove[]
  const allowed = statuses.flatMap((from) =>
    moves.filter((move) => canMoveChannel(from, move)).map((move) => [from, move]),
  )
  expect(allowed).toEqual([
    ['open', 'close'],
    ['closing', 'settle'],
    ['settled', 'reclaim'],
  ])
})

describe('a voucher of the buyer', () => {
  test('buys a countable unit for its price, and the last one for what is left', () => {
    expect(tickOfVoucher(meter(), start, 300n)).toEqual(tickOf(meter(), start))
    const late = meter({ measured: 3n, cumulative: 900n })
    expect(tickOfVoucher(late, start, 1_000n)).toMatchObject({ amount: 100n })
    for (const cumulative of [0n, 299n, 301n, 600n]) expect(tickOfVoucher(meter(), start, cumulative)).toBeNull()
    const spent = meter({ measured: 4n, cumulative: 1_000n })
    expect(tickOfVoucher(spent, start, 1_000n)).toBeNull()
  })

  test('over time in parts buys what one over all of it would have bought, and always more than before', () => {
    const terms = fc.record({
      unit: fc.constantFrom<MeterUnit>('second', 'minute', 'hour'),
      price: fc.bigInt(1n, 20_000n),
      limit: fc.bigInt(1n, 1_000_000n),
      steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000_000 }), fc.integer({ min: 1, max: 100 })), {
        maxLength: 20,
      }),
    })
    fc.assert(
      fc.property(terms, ({ steps, ...given }) => {
        let [now, held] = [start, meter(given)]
        for (const [waits, part] of steps) {
          now = new Date(now.getTime() + waits)
          const whole = tickOf(held, now)
          expect(tickOfVoucher(held, now, whole.cumulative + 1n)).toBeNull()
          expect(tickOfVoucher(held, now, held.cumulative)).toBeNull()
          const asked = held.cumulative + (whole.amount * BigInt(part)) / 100n
          const bought = tickOfVoucher(held, now, asked)
          if (bought === null) {
            expect(asked).toBe(held.cumulative)
            continue
          }
          expect(bought.amount).toBe(asked - held.cumulative)
          expect(bought.cumulative).toBeLessThanOrEqual(given.limit)
          // What it left open is what was open.
          expect(tickOf({ ...held, ...bought }, now).measured).toBe(whole.measured)
          expect(tickOf({ ...held, ...bought }, now).cumulative).toBe(whole.cumulative)
          held = { ...held, ...bought }
        }
      }),
    )
  })
})

describe('the terms a task is published with', () => {
  const usdc = { symbol: 'USDC', network: 'solana', decimals: 6 }

  test('are read in atomic units', () => {
    expect(readMeterTerms({ unit: 'scan', pricePerUnit: '0.000001', capUsd: '5' }, usdc)).toEqual({
      unit: 'scan',
      price: 1n,
      cap: 5_000_000n,
    })
  })

  test.each([
    ['0', '5'],
    ['5.000001', '5'],
    ['0.0000001', '5'],
    ['-1', '5'],
    ['1', 'much'],
  ])('a price of %s with a cap of %s is refused', (pricePerUnit, capUsd) => {
    expect(() => readMeterTerms({ unit: 'scan', pricePerUnit, capUsd }, usdc)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  test('may cost all of their cap at once, and are refused by the field that is wrong', () => {
    const read = (pricePerUnit: string) => readMeterTerms({ unit: 'scan', pricePerUnit, capUsd: '5' }, usdc)
    expect(read('5').price).toBe(5_000_000n)
    const details = {
      field: 'payment_streaming.price_per_unit',
      constraint: 'above 0 and at most cap_usd',
      received: '5.1',
    }
    expect(() => read('5.1')).toThrow(expect.objectContaining({ details }))
  })
})
