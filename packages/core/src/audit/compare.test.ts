import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareEscrow, isClosed, isRefundDue, stuckAfterMs, type EscrowBooks } from './compare-escrow.ts'
import { compareSums, type HeldSums } from './compare-sums.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
const now = new Date('2026-11-21T12:00:00Z')
const seconds = now.getTime() / 1_000
const payment = {
  network: 'localnet',
  asset,
  operator: 'o',
  payer: 'p',
  receiver: 'r',
  token: 't',
  maxAmount: 100n,
  preApprovalExpiry: seconds + 10,
  authorizationExpiry: seconds + 100,
  refundExpiry: seconds + 200,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: 'o',
  salt: 1n,
  hash: '0x01',
}
const books = (change: Partial<EscrowBooks> = {}): EscrowBooks => ({
  taskId: 'task',
  status: 'accepted',
  escrowStatus: 'authorized',
  since: now,
  payment,
  held: 100n,
  captured: 0n,
  open: null,
  ...change,
})
const kindsOf = (
  change: Partial<EscrowBooks>,
  state: { collected: boolean; capturable: bigint; refundable: bigint },
  at = now,
) => compareEscrow(books(change), state, at).map(({ kind }) => kind)
const held = { collected: true, capturable: 100n, refundable: 0n }
const later = (ms: number): Date => new Date(now.getTime() + ms)

describe('one payment', () => {
  test('ledger and chain that agree leave nothing to find', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100n }), fc.bigInt({ min: 0n, max: 100n }), (capturable, refundable) => {
        expect(
          kindsOf({ held: capturable, captured: refundable }, { collected: true, capturable, refundable }),
        ).toEqual([])
      }),
    )
  })

  test('every difference of what is held is one finding, of the size of the difference', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 100n }), (ledger, capturable) => {
        fc.pre(ledger !== capturable)
        const found = compareEscrow(books({ held: ledger }), { collected: true, capturable, refundable: 0n }, now)
        expect(found).toMatchObject([
          {
            kind: ledger === 0n || capturable === 0n ? 'orphaned' : 'mismatch',
            atomic: ledger > capturable ? ledger - capturable : capturable - ledger,
          },
        ])
      }),
    )
  })

  test.each([
    [
      'paid out otherwise than booked',
      { held: 0n, captured: 50n, status: 'completed', escrowStatus: 'released' },
      { collected: true, capturable: 0n, refundable: 100n },
      now,
      ['mismatch'],
    ],
    [
      'after the refund window what was paid out is none of ours',
      { held: 0n, captured: 50n, status: 'completed', escrowStatus: 'released' },
      { collected: true, capturable: 0n, refundable: 0n },
      later(201_000),
      [],
    ],
    [
      'worked on with nothing held any more',
      { held: 0n, captured: 0n },
      { collected: true, capturable: 0n, refundable: 0n },
      now,
      ['orphaned'],
    ],
    ['held up to the last second of its window', {}, held, later(99_999), []],
    ['held when its window has closed', {}, held, later(100_000), ['expired']],
    [
      'refunding for five minutes',
      { escrowStatus: 'refunding' },
      held,
      new Date(now.getTime() + stuckAfterMs),
      ['expired'],
    ],
    [
      'over, and still authorized after five minutes',
      { status: 'expired', payment: { ...payment, authorizationExpiry: seconds + 100_000 } },
      held,
      later(stuckAfterMs + 1),
      ['stuck'],
    ],
  ] as const)('%s', (_what, change, state, at, kinds) => {
    expect(kindsOf(change, state, at)).toEqual(kinds)
  })

  test('what is found is said with its figures, and of the size of what is at stake', () => {
    const found = (change: Partial<EscrowBooks>, state: Parameters<typeof compareEscrow>[1], at = now) =>
      compareEscrow(books(change), state, at).map(({ kind, atomic, detail }) => [kind, atomic, detail])
    const open = {} as EscrowBooks['open']
    expect(found({ open }, held, later(100_000))).toEqual([
      ['expired', 100n, 'payer p may reclaim since 2026-11-21T12:01:40.000Z'],
    ])
    expect(found({ held: 60n }, held)).toEqual([['mismatch', 40n, 'the ledger says 60 is held, the chain 100']])
    expect(found({ open, held: 60n }, held)).toEqual([])
    expect(found({ held: 0n }, held)).toEqual([['orphaned', 100n, 'the ledger says 0 is held, the chain 100']])
    expect(found({ held: 0n }, { ...held, capturable: 0n })).toEqual([
      ['orphaned', 100n, 'the work goes on, and nothing is held for it any more'],
    ])
    const over = { held: 0n, captured: 50n, status: 'completed', escrowStatus: 'released' } as const
    expect(found(over, { collected: true, capturable: 0n, refundable: 80n })).toEqual([
      ['mismatch', 30n, 'the ledger says 50 was paid out, the chain 80'],
    ])
    expect(found(over, { collected: true, capturable: 0n, refundable: 20n }, later(199_999))).toHaveLength(1)
    expect(found(over, { collected: true, capturable: 0n, refundable: 20n }, later(200_000))).toEqual([])
  })

  test.each([
    ['is refunding', { escrowStatus: 'refunding' }, true],
    ['is releasing', { escrowStatus: 'releasing' }, true],
    ['is assigning', { status: 'assigning', escrowStatus: 'pending_assignment' }, true],
    ['is over and authorized', { status: 'cancelled' }, true],
    ['is worked on', {}, false],
    ['is over and released', { status: 'completed', escrowStatus: 'released' }, false],
  ] as const)('a task that %s waits for five minutes without a settlement before it is stuck', (_what, own, waits) => {
    const change: Partial<EscrowBooks> = { ...own, payment: { ...payment, authorizationExpiry: seconds + 100_000 } }
    expect(stuckAfterMs).toBe(300_000)
    expect(kindsOf(change, held, later(300_000))).toEqual([])
    expect(kindsOf(change, held, later(300_001))).toEqual(waits ? ['stuck'] : [])
    expect(compareEscrow(books(change), held, later(300_001)).map(({ detail }) => detail)).toEqual(
      waits
        ? [`${change.status ?? 'accepted'}/${change.escrowStatus ?? 'authorized'} without a settlement under way`]
        : [],
    )
  })

  test('a refund is due of what is over and held, and a payment that is over and empty is closed', () => {
    expect([
      isRefundDue(books({ status: 'expired' })),
      isRefundDue(books({})),
      isRefundDue(books({ status: 'expired', held: 0n })),
    ]).toEqual([true, false, false])
    expect([
      isClosed(books({ status: 'expired' })),
      isClosed(books({ status: 'completed', held: 0n, escrowStatus: 'released' })),
      isClosed(books({ held: 0n })),
    ]).toEqual([false, true, false])
  })
})

describe('all payments of a token', () => {
  const sums = (change: Partial<HeldSums> = {}): HeldSums => ({
    asset,
    locked: 100n,
    fees: 13n,
    leaving: 0n,
    isSweeping: false,
    ...change,
  })

  test('contracts that hold at least ours leave nothing to find, for others may use them too', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: 1_000n }), (escrow, operator) => {
        expect(compareSums(sums(), sums(), { escrow: 100n + escrow, operator: 13n + operator })).toEqual([])
      }),
    )
  })

  test('what is short is told with its size, by the reading that makes it smaller', () => {
    expect(compareSums(sums(), sums(), { escrow: 90n, operator: 3n })).toMatchObject([
      { atomic: 10n, detail: 'the ledger says the escrow holds 100, the chain 90' },
      { atomic: 10n, detail: 'the ledger says the operator holds 13, the chain 3' },
    ])
    const [less, more] = [sums({ locked: 95n, leaving: 1n, fees: 5n }), sums({ leaving: 4n })]
    for (const readings of [[less, more] as const, [more, less] as const])
      expect(compareSums(...readings, { escrow: 90n, operator: 3n })).toMatchObject([{ atomic: 1n }, { atomic: 2n }])
  })

  test.each([
    ['too little in escrow', sums(), sums(), { escrow: 99n, operator: 13n }, ['escrow']],
    ['too little with the operator', sums(), sums(), { escrow: 100n, operator: 12n }, ['operator']],
    ['a release under way', sums({ leaving: 40n }), sums(), { escrow: 60n, operator: 13n }, []],
    ['a release confirmed while the chain was read', sums(), sums({ locked: 60n }), { escrow: 60n, operator: 13n }, []],
    ['a sweep under way', sums({ isSweeping: true }), sums(), { escrow: 100n, operator: 0n }, []],
  ] as const)('%s', (_what, before, after, holdings, subjects) => {
    expect(compareSums(before, after, holdings).map(({ subject }) => subject)).toEqual(subjects)
  })
})
