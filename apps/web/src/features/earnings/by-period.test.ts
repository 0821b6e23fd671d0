import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byPeriod, spans } from './by-period.ts'

const payment = (paid_at: string, payout_usd: number): { readonly paid_at: string; readonly payout_usd: number } => ({
  paid_at,
  payout_usd,
})

test('a span without a payment is there with nothing in it', () => {
  expect(
    byPeriod(
      [
        payment('2026-03-31T23:59:59Z', 0.87),
        payment('2026-01-05T00:00:00Z', 8.7),
        payment('2026-01-31T10:00:00Z', 0.1),
      ],
      'month',
    ),
  ).toEqual([
    { start: '2026-01-01T00:00:00.000Z', usd: 8.8, count: 2 },
    { start: '2026-02-01T00:00:00.000Z', usd: 0, count: 0 },
    { start: '2026-03-01T00:00:00.000Z', usd: 0.87, count: 1 },
  ])
})

test('weeks begin on Monday', () => {
  expect(
    byPeriod([payment('2026-11-22T23:00:00Z', 1), payment('2026-11-23T00:00:00Z', 2)], 'week').map(({ start, usd }) => [
      start.slice(0, 10),
      usd,
    ]),
  ).toEqual([
    ['2026-11-16', 1],
    ['2026-11-23', 2],
  ])
})

test('no payment is lost or counted twice, whatever the span', () => {
  const times = fc.date({
    min: new Date('2025-01-01T00:00:00Z'),
    max: new Date('2026-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          paid_at: times.map((at) => at.toISOString()),
          payout_usd: fc.integer({ min: 1, max: 1e8 }).map((micros) => micros / 1e6),
        }),
        { minLength: 1, maxLength: 40 },
      ),
      fc.constantFrom(...spans),
      (payments, span) => {
        const periods = byPeriod(payments, span)
        expect(periods.reduce((sum, { count }) => sum + count, 0)).toBe(payments.length)
        expect(Math.round(periods.reduce((sum, { usd }) => sum + usd, 0) * 1e6)).toBe(
          Math.round(payments.reduce((sum, { payout_usd }) => sum + payout_usd, 0) * 1e6),
        )
        expect(new Set(periods.map(({ start }) => start)).size).toBe(periods.length)
      },
    ),
  )
})
