import { describe, expect, test } from 'vitest'
import { sumUsd } from '../../lib/sum-usd.ts'
import { hasMoved, receiptOf } from './receipt.ts'

const task = {
  id: 't1',
  title: 'Gate',
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-03T08:00:00Z',
  escrow_status: 'released',
  payment_tx: '0xpay',
  refund_tx: null,
} as const
const payment = {
  task_id: 't1',
  status: 'released',
  payment_mode: 'fase2',
  total_amount: 10,
  released_net_usdc: 8.7,
  platform_fee_usdc: 1.3,
  network: 'base',
  token: 'USDC',
  escrow_tx: '0xlock',
  release_tx: '0xpay',
  fee_tx: null,
  refund_tx: null,
} as const
const entry = {
  id: 'e',
  status: 'success',
  task_id: 't1',
  amount_usd: 10,
  from_address: null,
  to_address: null,
  network: 'base',
  token: 'USDC',
  tx_hash: null,
  note: null,
} as const

describe('a receipt', () => {
  test('carries the split of the service, the transactions that it names, and the last time the bounty moved', () => {
    const receipt = receiptOf(task, payment, [
      { ...entry, type: 'settle', timestamp: '2026-11-02T08:00:00Z' },
      { ...entry, type: 'disburse_worker', amount_usd: 8.7, timestamp: '2026-11-03T08:00:00Z' },
      { ...entry, type: 'disburse_fee', amount_usd: 1.3, timestamp: '2026-11-09T08:00:00Z' },
      { ...entry, type: 'refund', status: 'failed', timestamp: '2026-11-10T08:00:00Z' },
    ])
    expect(receipt).toEqual({
      taskId: 't1',
      title: 'Gate',
      status: 'released',
      network: 'base',
      token: 'USDC',
      grossUsd: 10,
      payoutUsd: 8.7,
      feeUsd: 1.3,
      refundedUsd: null,
      movedAt: '2026-11-03T08:00:00Z',
      transactions: [
        { step: 'lock', hash: '0xlock' },
        { step: 'release', hash: '0xpay' },
      ],
    })
  })

  test('says what came back, however many times', () => {
    const back = { ...entry, type: 'refund', timestamp: '2026-11-04T08:00:00Z' } as const
    expect(
      receiptOf(task, payment, [
        { ...back, amount_usd: 0.1 },
        { ...back, status: 'in_doubt', amount_usd: 0.2 },
      ]).refundedUsd,
    ).toBe(0.3)
  })

  test('names no day where the service names none', () => {
    expect(receiptOf(task, payment, []).movedAt).toBeNull()
  })
})

test.each([
  ['none', null, null, false],
  ['pending_assignment', null, null, false],
  ['authorizing', null, null, false],
  ['authorized', null, null, true],
  ['refunded', null, '0xback', true],
  ['none', '0xpay', null, true],
] as const)(
  'a task with escrow %s, payment %s and refund %s has a receipt: %s',
  (escrow_status, payment_tx, refund_tx, has) => {
    expect(hasMoved({ ...task, escrow_status, payment_tx, refund_tx })).toBe(has)
  },
)

test('sums of amounts do not drift', () => {
  expect(sumUsd([0.1, 0.2])).toBe(0.3)
  expect(sumUsd(Array.from({ length: 1_000 }, () => 0.000_001))).toBe(0.001)
})
