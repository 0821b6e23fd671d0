import { expect, test } from 'vitest'
import { statementOf, yearsOf } from './statement.ts'

const payment = (paid_at: string, gross_usd: number, payout_usd: number) => ({
  task_id: 'f6a1c3f0-0000-4000-8000-000000000000',
  title: 'Photograph the gate',
  paid_at,
  gross_usd,
  payout_usd,
  network: 'base',
  token: 'USDC',
  payment_tx: null,
})
const payments = [
  payment('2026-01-01T00:00:00.000Z', 4.5, 3.915),
  payment('2025-12-31T23:59:59.000Z', 0.3, 0.261),
  payment('2025-01-01T00:00:00.000Z', 1, 0.87),
]

test('a year holds its own payments and no others, with the fee to the last digit', () => {
  expect(yearsOf(payments)).toEqual(['2026', '2025'])
  const [head, ...rows] = statementOf(payments, '2025')
  const fee = head?.indexOf('fee_usd') ?? -1
  expect(rows.map((row) => [row[0], row[fee]])).toEqual([
    ['2025-12-31T23:59:59.000Z', 0.039],
    ['2025-01-01T00:00:00.000Z', 0.13],
  ])
  expect(statementOf(payments, '2024')).toHaveLength(1)
})
