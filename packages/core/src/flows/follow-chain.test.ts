import { describe, expect, test } from 'vitest'
import type { BookedMovement } from '../ports/store-follow.ts'
import { linesOf, scriptedNow } from '../testing/scripted-deps.ts'
import { booked, followed, lock, payout, seen, type Given } from '../testing/scripted-logs.ts'
import { charge, settlementOf } from '../testing/scripted-money.ts'
import { isBooked } from './follow-chain.ts'

const now = scriptedNow

describe('a chain is followed', () => {
  test.each<[string, Given, number, readonly unknown[], readonly string[]]>([
    [
      'from where the newest block is, at first',
      { followed: null },
      0,
      [],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:10n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} now',
      ],
    ],
    [
      'from the blocks that may still be undone',
      {},
      0,
      ['window 3n 9n []'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
        'bookedMovements localnet 3n 9n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 3n 9n',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} now',
      ],
    ],
    [
      'never from before the first',
      { followed: 2n },
      0,
      ['window 1n 9n []'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 1n 500',
        'bookedMovements localnet 1n 9n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 1n 9n',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} now',
      ],
    ],
    [
      'to its end by several windows',
      { windowTo: (from, to) => (from + 3n < to ? from + 3n : to) },
      0,
      ['window 3n 9n []', 'window 7n 9n []'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
        'bookedMovements localnet 3n 6n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 3n 6n',
        'putFollowing {network:localnet,first:1n,followed:{number:6n,at:now},head:{number:9n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 7n 500',
        'bookedMovements localnet 7n 9n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 7n 9n',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} now',
      ],
    ],
    [
      'not while another process does',
      { script: { leaseFollowing: null } },
      0,
      [],
      ['leaseFollowing localnet now 2026-11-21T12:00:06.000Z'],
    ],
    ['not while it cannot be read', { head: -1n }, 0, [], ['leaseFollowing localnet now 2026-11-21T12:00:06.000Z']],
    [
      'not by a node that is behind another',
      { head: 5n },
      0,
      [],
      ['leaseFollowing localnet now 2026-11-21T12:00:06.000Z'],
    ],
    [
      'by a node that shows nothing new',
      { head: 6n },
      0,
      ['window 3n 6n []'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
        'bookedMovements localnet 3n 6n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 3n 6n',
        'putFollowing {network:localnet,first:1n,followed:{number:6n,at:now},head:{number:6n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:1n,followed:{number:6n,at:now},head:{number:6n,at:now},readAt:now} now',
      ],
    ],
    [
      'not past a window that cannot be read',
      { window: null },
      0,
      ['window 3n 9n []'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
      ],
    ],
    [
      'for direct payments of those whose signature is held',
      {
        script: {
          watchedTransfers: [payout],
          bookedTransfers: [
            {
              movement: booked({ hash: 'nonce', missingSince: now }),
              settlement: settlementOf('payout', charge({ from: 'other' })),
            },
            { movement: booked({ missingSince: now }), settlement: lock },
          ],
        },
        found: null,
      },
      0,
      ['window 3n 9n [payer,other]'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
        'bookedMovements localnet 3n 9n',
      ],
    ],
    [
      'and for those who owe, after a restore',
      { lostLocks: 'book' },
      0,
      ['window 3n 9n [owing]'],
      [
        'leaseFollowing localnet now 2026-11-21T12:00:06.000Z',
        'watchedTransfers localnet 500',
        'bookedTransfers localnet 3n 500',
        'payersOwing localnet 500',
        'bookedMovements localnet 3n 9n',
        'reportFindings [undone:localnet] [] now',
        'bookedDistributions localnet 3n 9n',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} 2026-11-21T12:00:06.000Z',
        'putFollowing {network:localnet,first:1n,followed:{number:9n,at:now},head:{number:9n,at:now},readAt:now} now',
      ],
    ],
    ['where it has logs', { networks: [{ name: 'solana', chainId: null }] }, 0, [], []],
  ])('%s', async (_what, given, behind, asked, lines) => {
    const done = await followed(given)
    expect(done.behind).toEqual(behind)
    expect(linesOf(done.asked as never)).toEqual(asked)
    expect(done.lines).toEqual(lines)
  })

  test('by ten windows a round, and there is more', async () => {
    const { behind, asked, lines } = await followed({ followed: 3n, head: 21n, windowTo: (from) => from + 1n })
    expect(asked.map(([, from]) => from)).toEqual([1n, 3n, 5n, 7n, 9n, 11n, 13n, 15n, 17n, 19n])
    expect(behind).toBe(1)
    expect(lines.at(-1)).toEqual(
      'putFollowing {network:localnet,first:1n,followed:{number:3n,at:now},head:{number:21n,at:now},readAt:now} now',
    )
    const whole = await followed({ followed: 3n, head: 20n, windowTo: (from) => from + 1n })
    expect([whole.behind, whole.lines.at(-1)]).toEqual([
      0,
      'putFollowing {network:localnet,first:1n,followed:{number:20n,at:now},head:{number:20n,at:now},readAt:now} now',
    ])
  })
})

test.each<[string, Partial<BookedMovement>, boolean]>([
  ['by its transaction and its place', {}, true],
  ['by its transaction, where logs were not counted yet', { logIndex: -1 }, true],
  ['not by another place', { logIndex: 2 }, false],
  ['not by another transaction', { txHash: '0x' }, false],
  ['not by another payment', { logIndex: -1, hash: 'other' }, false],
  ['not by another kind', { logIndex: -1, kind: 'voided' }, false],
  ['by its place in a transaction, whatever it is', { kind: 'voided' }, true],
])('a log is known to be booked %s', (_what, change, is) => {
  expect(isBooked(seen('captured'), [booked({ txHash: '0xother' }), booked(change)])).toBe(is)
})
