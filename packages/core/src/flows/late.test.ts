import { describe, expect, test } from 'vitest'
import { confirmed, fee, lock, payout, type ConfirmCase } from '../testing/scripted-confirm.ts'
import {
  byAnother,
  completed,
  counted,
  feePaidDirectly,
  lockBooked,
  logged,
  offerSettled,
  paidDirectly,
  six,
  ten,
  workTold,
  type Lines,
} from '../testing/scripted-lines.ts'
import { scriptedNow as now } from '../testing/scripted-deps.ts'
import { direct, offer } from '../testing/scripted-money.ts'

const given = { status: 'refused' } as const
const confirmedAfterAll = 'confirmRefused settlement {txHash:0xlanded,blockNumber:9n,logIndex:4,feeBps:1300} now'

describe('what lands after its claim was given back', () => {
  test.each<[string, ConfirmCase, string, Lines]>([
    [
      'a lock is booked for nobody, and goes back',
      { settlement: lock, current: given, task: { status: 'published' } },
      'given back',
      [logged('authorized', 10_000_000n, { settlementId: null }), ...lockBooked(1, '0xlanded', byAnother)],
    ],
    [
      'a payout that is still waited for counts, and its fee may be sent',
      { settlement: payout, current: given, task: direct },
      'confirmed',
      [
        confirmedAfterAll,
        'reviveFeeOf submission now',
        ...paidDirectly(1),
        'countOrder task',
        ...completed({ escrowStatus: 'none' }),
        ...counted('approved 4'),
        ...workTold(4, ten),
      ],
    ],
    [
      'a payout that two agreed on counts while their offer is open',
      {
        settlement: { ...payout, offerId: 'offer' },
        current: given,
        task: { ...direct, status: 'in_progress' },
        script: { lockOffer: offer({ status: 'open' }) },
      },
      'confirmed',
      [
        'lockOffer offer',
        confirmedAfterAll,
        'reviveFeeOf submission now',
        ...paidDirectly(1),
        'countOrder task',
        'lockOffer offer',
        ...completed({ escrowStatus: 'none', captured: 6_000_000n }),
        ...workTold(4, six),
        ...offerSettled,
        'lockDisputeOf submission',
      ],
    ],
    ...(['refused', 'withdrawn', 'expired', 'accepted'] as const).map(
      (status): [string, ConfirmCase, string, Lines] => [
        `and is booked as what it is where the offer is ${status}`,
        {
          settlement: { ...payout, offerId: 'offer' },
          current: given,
          task: direct,
          script: { lockOffer: offer({ status }) },
        },
        'given back',
        ['lockOffer offer', ...paidDirectly(1)],
      ],
    ),
    [
      'or over',
      {
        settlement: { ...payout, offerId: 'offer' },
        current: given,
        task: direct,
        script: { lockOffer: offer({ status: 'open', expiresAt: now }) },
      },
      'given back',
      ['lockOffer offer', ...paidDirectly(1)],
    ],
    [
      'a payout for which another was paid is booked as what it is',
      { settlement: payout, current: given, task: direct, script: { confirmRefused: false } },
      'given back',
      [confirmedAfterAll, ...paidDirectly(1)],
    ],
    [
      'a payout of a task that is over is booked as what it is',
      { settlement: payout, current: given, task: { status: 'cancelled' } },
      'given back',
      [...paidDirectly(1)],
    ],
    [
      'a fee whose worker is paid counts',
      { settlement: fee, current: given, task: { status: 'completed' } },
      'confirmed',
      [confirmedAfterAll, ...feePaidDirectly(1), 'changeTask task {feeTx:0xlanded} now'],
    ],
    [
      'a fee alone pays for nothing',
      { settlement: fee, current: given, task: direct },
      'given back',
      [...feePaidDirectly(1)],
    ],
  ])('%s', async (_what, one, state, lines) => {
    const done = await confirmed(one)
    expect(done.state).toEqual(state)
    expect(done.lines).toEqual(lines)
  })
})
