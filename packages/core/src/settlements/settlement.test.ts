import { describe, expect, test } from 'vitest'
import type { Payment } from '../escrow/payment.ts'
import { deadlineOf, networkOf, reissued, type CaptureOrder, type RailOrder, type VoidOrder } from './order.ts'
import { claimed, isOpen, leaseEnd, retryAfterMs } from './settlement.ts'

const now = new Date('2026-11-21T12:00:00.900Z')
const seconds = Date.parse('2026-11-21T12:00:00Z') / 1_000
const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const payment: Payment = {
  network: 'localnet',
  asset,
  operator: 'operator',
  payer: 'payer',
  receiver: 'payee',
  token: 'token',
  maxAmount: 5n,
  preApprovalExpiry: 100,
  authorizationExpiry: 200,
  refundExpiry: 300,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: 'operator',
  salt: 1n,
  hash: 'hash',
}
const amount = { atomic: 5n, asset }
const authorize: RailOrder = {
  kind: 'authorize',
  key: 'a',
  payment,
  authorization: { validAfter: 0n, validBefore: 90n, nonce: 'n', signature: 's' },
}
const capture: CaptureOrder = { kind: 'capture', key: 'c', payment, amount, issuedAt: 1, order: null }
const giveBack: VoidOrder = { kind: 'void', key: 'v', payment, amount, issuedAt: 1 }
const charge: RailOrder = {
  kind: 'charge',
  key: 'd',
  transfer: {
    network: 'elsewhere',
    amount,
    token: 'token',
    from: 'payer',
    to: 'payee',
    validAfter: 0n,
    validBefore: 80n,
    nonce: 'n',
    signature: 's',
  },
}

describe('an order', () => {
  test('is carried out until what was signed ends; giving back has no end', () => {
    expect([authorize, charge, capture, giveBack].map(deadlineOf)).toEqual([90n, 80n, 200n, null])
  })

  test('is carried out on the network of its payment', () => {
    expect([authorize, charge, capture, giveBack].map(networkOf)).toEqual([
      'localnet',
      'elsewhere',
      'localnet',
      'localnet',
    ])
  })

  test('made anew has a key of its own each time, and what the service signs says when', () => {
    const after = { blockNumber: 3n, logIndex: 1 }
    expect(reissued(capture, now, { after })).toEqual({ ...capture, key: 'c~1', issuedAt: seconds, after })
    expect(reissued(reissued(giveBack, now), now)).toEqual({ ...giveBack, key: 'v~2', issuedAt: seconds })
    expect([reissued(authorize, now), reissued(charge, now)]).toEqual([
      { ...authorize, key: 'a~1' },
      { ...charge, key: 'd~1' },
    ])
  })
})

describe('a settlement', () => {
  const settlement = claimed('id', now, { taskId: 'task', purpose: 'lock', subject: 'task', order: authorize })

  test('begins as a claim, its first copy under way for thirty seconds, and nothing known of its end', () => {
    expect(settlement).toEqual({
      id: 'id',
      taskId: 'task',
      purpose: 'lock',
      subject: 'task',
      order: authorize,
      submissionId: null,
      executorId: null,
      mustLand: false,
      rating: null,
      offerId: null,
      status: 'claimed',
      txHash: null,
      attempts: 0,
      sentUntil: new Date(now.getTime() + 30_000),
      isWaiting: false,
      createdAt: now,
    })
  })

  test.each([
    ['claimed', true],
    ['in_doubt', true],
    ['confirmed', false],
    ['refused', false],
  ] as const)('that is %s is open: %s', (status, open) => {
    expect(isOpen({ ...settlement, status })).toBe(open)
  })

  test('belongs to a process for eight seconds without a sign of life', () => {
    expect(leaseEnd(now)).toEqual(new Date(now.getTime() + 8_000))
  })

  test('that did not end is looked at soon, then every ten seconds, and after thirty times every minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 30, 31].map(retryAfterMs)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 60_000,
    ])
  })
})
