import { expect, test } from 'vitest'
import type { Receipt } from './receipt.ts'
import { csvRows, totalsOf } from './totals.ts'

const paid: Receipt = {
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
}
const open: Receipt = {
  ...paid,
  taskId: 't2',
  status: 'authorized',
  grossUsd: 5,
  payoutUsd: null,
  feeUsd: null,
  transactions: [],
}
const split: Receipt = {
  ...paid,
  taskId: 't3',
  status: 'released',
  grossUsd: 10,
  payoutUsd: 4.35,
  feeUsd: 0.65,
  refundedUsd: 5,
}

test('each token of each network is added up for itself', () => {
  expect(
    totalsOf([paid, { ...paid, token: 'EURC' }, { ...paid, network: 'polygon' }]).map(
      ({ network, token, spentUsd }) => [network, token, spentUsd],
    ),
  ).toEqual([
    ['base', 'USDC', 10],
    ['base', 'EURC', 10],
    ['polygon', 'USDC', 10],
  ])
})

test('what was paid, what is held and what came back are told apart', () => {
  expect(totalsOf([paid, open, split])).toEqual([
    {
      network: 'base',
      token: 'USDC',
      count: 3,
      spentUsd: 15,
      payoutUsd: 13.05,
      feeUsd: 1.95,
      heldUsd: 5,
      refundedUsd: 5,
    },
  ])
})

test('of a split under way only the rest is held', () => {
  expect(totalsOf([{ ...split, status: 'refunding', refundedUsd: null }])[0]?.heldUsd).toBe(5)
})

test('the table has a row for each receipt, and an empty cell for what is not known', () => {
  const [head, ...rows] = csvRows([paid, open])
  expect(rows).toEqual([
    [
      '2026-11-03T08:00:00Z',
      't1',
      'Gate',
      'released',
      10,
      8.7,
      1.3,
      null,
      'base',
      'USDC',
      '0xlock',
      '0xpay',
      null,
      null,
    ],
    ['2026-11-03T08:00:00Z', 't2', 'Gate', 'authorized', 5, null, null, null, 'base', 'USDC', null, null, null, null],
  ])
  expect(rows.every((row) => row.length === head?.length)).toBe(true)
})
