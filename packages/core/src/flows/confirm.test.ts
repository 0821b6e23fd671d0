import { describe, expect, test } from 'vitest'
import { BookedForAnother } from '../escrow/movement.ts'
import { readPolicy } from '../policy/policy.ts'
import { silenceKey } from '../settlements/order.ts'
import { confirmed, fee, lock, payout, type ConfirmCase } from '../testing/scripted-confirm.ts'
import {
  cancelTold,
  completed,
  confirmedAt,
  counted,
  event,
  feePaidDirectly,
  four,
  landing,
  lockBooked,
  logged,
  offerSettled,
  onLocalnet,
  paidDirectly,
  payoutBooked,
  payTold,
  refundBooked,
  six,
  ten,
  workTold,
  type Lines,
} from '../testing/scripted-lines.ts'
import { direct, capture, charge, giveBackOf, moved, offer, settlementOf } from '../testing/scripted-money.ts'

const release = settlementOf('release', capture())
const refund = settlementOf('refund', giveBackOf(), { submissionId: null })
const assigning = { status: 'assigning', escrowStatus: 'pending_assignment' } as const
const rated = { rating: { score: 90, comment: 'Well done.' } }
const half = [moved('authorized'), moved('captured', 4_000_000n)]

const assignmentTold = (id: number, notes = ''): Lines => [
  event(id, 'task.assigned', `executor_id:executor,worker_wallet:receiver,bounty_usd:10,escrow_tx:0xlanded${notes}`),
  event(id + 1, 'payment.escrowed', `amount_usd:10,${onLocalnet('0xlanded')}`),
]
const ratingDue =
  'putRating {id:#4,taskId:task,direction:publisher_rates_executor,rater:payer,ratee:worker,terms:{network:localnet,' +
  'agentId:7,score:90,tag1:worker_rating,tag2:simple_action,endpoint:,' +
  'feedbackUri:http://localhost/feedback/task?direction=publisher_rates_executor,feedbackHash:0x…344},' +
  'comment:Well done.,document:{version:1.0,type:feedback,feedback_type:publisher_rates_executor,created_at:now,' +
  'network:localnet,agent_id:7,client_address:payer,task:{id:task,category:simple_action},' +
  'rating:{score:90,max_score:100,comment:Well done.},transactions:{payment_tx:0xlanded,escrow_tx:null}},' +
  'status:due,txHash:null,feedbackIndex:null,attempts:0} now now'

describe('money that moved is written down with all that comes of it', () => {
  test.each<[string, ConfirmCase, Lines]>([
    [
      'a lock: the work begins, and who was not chosen is told',
      {
        settlement: lock,
        task: { ...assigning, policy: readPolicy({ startHours: 2 }) },
        script: {
          pendingApplications: [{ id: 'application', executorId: 'other' }],
          taskWords: [
            { kind: 'assign', worker: { id: 'other' }, text: 'Not this.' },
            { kind: 'assign', worker: { id: 'executor' }, text: 'By noon, please.' },
          ],
        },
      },
      [
        confirmedAt(),
        'moveTask task accepted now {executorId:executor,escrowStatus:authorized,escrowTx:0xlanded}',
        'acceptApplication task executor',
        'escrowPayment task',
        'changeTask task {startBy:2026-11-21T14:00:00.000Z} now',
        'putTimer task start_by 2026-11-21T14:00:00.000Z',
        'pendingApplications task 500',
        'addEvents [{id:#1,type:worker.not_chosen,taskId:task,at:now,' +
          'data:{task_id:task,application_id:application,executor_id:other,reason:another_worker}}]',
        logged('authorized', 10_000_000n),
        ...lockBooked(2),
        'countOrder task',
        'taskWords task',
        ...assignmentTold(4, ',notes:By noon, please.'),
      ],
    ],
    [
      'a lock of a task that went on',
      { settlement: lock, task: { status: 'cancelled' } },
      [
        confirmedAt(),
        logged('authorized', 10_000_000n),
        ...lockBooked(1),
        'countOrder task',
        'taskWords task',
        ...assignmentTold(3),
      ],
    ],
    ['a lock for nobody', { settlement: { ...lock, executorId: null }, task: assigning }, [confirmedAt()]],
    [
      'a release by its publisher',
      { settlement: release },
      [
        confirmedAt(),
        logged('captured', 10_000_000n),
        ...payoutBooked(1, ten),
        ...completed(),
        ...counted('approved 4'),
        ...workTold(4, ten),
      ],
    ],
    [
      'a release by the silence of its publisher',
      { settlement: { ...release, order: { ...capture(), key: `${silenceKey}1` } } },
      [
        confirmedAt(),
        logged('captured', 10_000_000n),
        ...payoutBooked(1, ten),
        ...completed(),
        ...counted('silent null'),
        ...workTold(4, ten),
      ],
    ],
    [
      'a release of what was left, with a rating',
      {
        settlement: settlementOf('release', capture(6_000_000n), rated),
        script: { movements: half, agentOf: { wallet: 'worker', agentId: 7 } },
      },
      [
        confirmedAt(),
        logged('captured', 6_000_000n),
        ...payoutBooked(1, six),
        'movements localnet hash',
        ...completed({ captured: 4_000_000n }),
        ...counted('approved 4'),
        'agentOf executor localnet',
        ratingDue,
        ...workTold(5, six),
      ],
    ],
    [
      'a refund',
      { settlement: refund, task: { status: 'accepted' } },
      [
        confirmedAt(),
        logged('voided', 10_000_000n),
        ...refundBooked(1, 10_000_000n),
        'moveTask task cancelled now {escrowStatus:refunded,refundTx:0xlanded}',
        cancelTold(4, '0xlanded'),
      ],
    ],
    [
      'a refund of a task that is over',
      { settlement: refund, task: { status: 'expired' } },
      [
        confirmedAt(),
        logged('voided', 10_000_000n),
        ...refundBooked(1, 10_000_000n),
        'changeTask task {escrowStatus:refunded,refundTx:0xlanded} now',
      ],
    ],
    [
      'a payout',
      { settlement: payout, task: direct },
      [
        confirmedAt(),
        ...paidDirectly(1),
        'countOrder task',
        ...completed({ escrowStatus: 'none' }),
        ...counted('approved 4'),
        ...workTold(4, ten),
      ],
    ],
    [
      'a payout with its fee in the same transaction',
      {
        settlement: settlementOf(
          'payout',
          charge({ alongside: { to: 'treasury', amount: { ...capture().amount, atomic: 1_300_000n } } }),
        ),
        task: direct,
      },
      [
        confirmedAt(),
        ...paidDirectly(1),
        ...feePaidDirectly(4, 'nonce:fee', { ...landing, logIndex: 5 }),
        'changeTask task {feeTx:0xlanded} now',
        'countOrder task',
        ...completed({ escrowStatus: 'none' }),
        ...counted('approved 4'),
        ...workTold(6, ten),
      ],
    ],
    [
      'an agreed payout',
      { settlement: { ...payout, offerId: 'offer' }, task: direct, script: { lockOffer: offer() } },
      [
        confirmedAt(),
        ...paidDirectly(1),
        'countOrder task',
        'lockOffer offer',
        ...completed({ escrowStatus: 'none', captured: 6_000_000n }),
        ...workTold(4, six),
        ...offerSettled,
        'lockDisputeOf submission',
      ],
    ],
    [
      'a payout that was booked before',
      { settlement: payout, task: direct, script: { movements: half } },
      [
        confirmedAt(),
        'movements localnet nonce',
        'countOrder task',
        ...completed({ escrowStatus: 'none' }),
        ...counted('approved 4'),
        ...workTold(1, ten),
      ],
    ],
    [
      'a payout whose log another process booked',
      { settlement: payout, task: direct, script: { addMovement: false } },
      [
        confirmedAt(),
        'movements localnet nonce',
        logged('charged', 8_700_000n, { hash: 'nonce' }),
        'countOrder task',
        ...completed({ escrowStatus: 'none' }),
        ...counted('approved 4'),
        ...workTold(1, ten),
      ],
    ],
    [
      'a fee',
      { settlement: fee, task: { status: 'completed', escrowStatus: 'none' } },
      [confirmedAt(), ...feePaidDirectly(1), 'changeTask task {feeTx:0xlanded} now'],
    ],
    [
      'a stray for its worker',
      { settlement: settlementOf('stray', capture(4_000_000n)), script: { movements: half } },
      [
        confirmedAt(),
        logged('captured', 4_000_000n),
        ...payoutBooked(1, four),
        'movements localnet hash',
        'changeTask task {paymentTx:0xlanded,paymentBlock:9n,captured:4000000n} now',
        payTold(4, four),
      ],
    ],
    [
      'a stray for its payer',
      { settlement: settlementOf('stray', giveBackOf(4_000_000n)) },
      [confirmedAt(), logged('voided', 4_000_000n), ...refundBooked(1, 4_000_000n)],
    ],
  ])('%s', async (_what, one, lines) => {
    const done = await confirmed(one)
    expect(done.state).toBe('confirmed')
    expect(done.lines).toEqual(lines)
  })

  test.each<[string, ConfirmCase, string]>([
    ['that is confirmed already', { settlement: release, current: { status: 'confirmed' } }, 'confirmed'],
    ['that is not there', { settlement: release, current: null }, 'given back'],
    ['of a task that is not there', { settlement: release, task: null }, 'given back'],
    ['whose order was replaced', { settlement: release, current: { order: capture(4_000_000n) } }, 'given back'],
    ['of an order of another kind', { settlement: settlementOf('release', giveBackOf()) }, 'confirmed'],
    ['of a payment of another kind', { settlement: settlementOf('payout', capture()) }, 'confirmed'],
    ['of a fee of another kind', { settlement: settlementOf('fee', capture()) }, 'confirmed'],
    ['of a lock of another kind', { settlement: settlementOf('lock', capture()) }, 'confirmed'],
  ])('once: nothing is booked for one %s', async (_what, one, state) => {
    const done = await confirmed(one)
    expect(done.state).toBe(state)
    expect(done.lines.filter((line) => !line.startsWith('endSettlement settlement {status:confirmed'))).toEqual([])
  })
  test('a log that another settlement brought about is told from one of its own', async () => {
    const refuse = (): never => {
      throw new BookedForAnother({ txHash: '0x', logIndex: 1 })
    }
    expect((await confirmed({ settlement: release, script: { addMovement: refuse } })).state).toBe('for another')
    const fail = (): never => {
      throw new Error('down')
    }
    await expect(confirmed({ settlement: release, script: { addMovement: fail } })).rejects.toThrow('down')
  })
})
