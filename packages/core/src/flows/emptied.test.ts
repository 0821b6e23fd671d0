import { describe, expect, test } from 'vitest'
import { readPolicy } from '../policy/policy.ts'
import {
  agreed,
  back,
  byOffer,
  completedFor,
  ended,
  givenUp,
  kept,
  locked,
  paid,
  type EmptiedCase,
} from '../testing/scripted-emptied.ts'
import {
  cancelTold,
  capturedAt,
  completed,
  event,
  offerSettled,
  paymentKept,
  refused,
  workTold,
  type Lines,
} from '../testing/scripted-lines.ts'
import { capture, giveBackOf, moved, settlementOf } from '../testing/scripted-money.ts'

const release = settlementOf('release', capture())
const refund = settlementOf('refund', giveBackOf(), { submissionId: null })
const stepdown = settlementOf('stepdown', giveBackOf(), { submissionId: null })

const releaseGivenUp = givenUp('ESCROW_NOT_RELEASABLE', 'settle', 10_000_000n)
const refundGivenUp = givenUp('ESCROW_NOT_REFUNDABLE', 'refund', 10_000_000n)
const chargedAt = { ...capturedAt, txHash: '0xcharged' }

describe('nothing is left of a payment, by other hands', () => {
  test.each<[string, EmptiedCase, unknown, Lines]>([
    [
      'a release that its payer made itself',
      { settlement: release, movements: paid },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [kept(10_000_000n), ...completedFor(10_000_000n), refused('ESCROW_NOT_RELEASABLE')],
    ],
    [
      'a release that others charged',
      { settlement: release, movements: [moved('charged')] },
      { state: 'elsewhere', txHash: '0xcharged' },
      [
        paymentKept({ at: chargedAt, captured: 10_000_000n }),
        ...completed({ at: chargedAt, captured: 10_000_000n }),
        ...workTold(1, null, '0xcharged'),
        refused('ESCROW_NOT_RELEASABLE'),
      ],
    ],
    [
      'a release whose money went back',
      { settlement: release, movements: back },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      ['changeTask task {escrowStatus:refunded} now', ...releaseGivenUp, 'changeTask task {escrowStatus:refunded} now'],
    ],
    [
      'a release of which part went back',
      { settlement: release, movements: [locked, moved('captured', 9_000_000n), moved('voided', 1_000_000n)] },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      [
        paymentKept({ escrowStatus: 'refunded', at: capturedAt, captured: 9_000_000n }),
        ...releaseGivenUp,
        'changeTask task {escrowStatus:refunded} now',
      ],
    ],
    [
      'a release whose lock was undone',
      { settlement: release, movements: [] },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      ['changeTask task {escrowStatus:refunded} now', ...releaseGivenUp, 'changeTask task {escrowStatus:refunded} now'],
    ],
    [
      'an agreed release that its payer made itself',
      { settlement: { ...release, ...byOffer }, movements: paid, script: agreed },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [
        kept(10_000_000n),
        'lockOffer offer',
        ...completed({ at: capturedAt }),
        ...workTold(1, null, '0xcaptured'),
        'refuseRemainderOf task now',
        ...offerSettled,
        'lockDisputeOf submission',
        refused('ESCROW_NOT_RELEASABLE'),
      ],
    ],
    [
      'a refund that its payer took',
      { settlement: refund, movements: back, task: { status: 'accepted' } },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        'changeTask task {escrowStatus:refunded} now',
        'moveTask task cancelled now {refundTx:0xreclaimed}',
        cancelTold(1, '0xreclaimed'),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a refund of a task that is over',
      { settlement: refund, movements: back, task: { status: 'expired' } },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        'changeTask task {escrowStatus:refunded} now',
        'changeTask task {refundTx:0xreclaimed} now',
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a refund whose money its worker got',
      { settlement: refund, movements: paid, task: { status: 'accepted' } },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_REFUNDABLE' } },
      [kept(10_000_000n), ...refundGivenUp, 'changeTask task {escrowStatus:released} now'],
    ],
    [
      'a refund whose lock was undone',
      { settlement: refund, movements: [], task: { status: 'accepted' } },
      { state: 'elsewhere', txHash: null },
      [
        'changeTask task {escrowStatus:refunded} now',
        'moveTask task cancelled now {refundTx:null}',
        cancelTold(1, null),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a worker who steps down, whose money its payer took',
      {
        settlement: stepdown,
        movements: back,
        task: { status: 'accepted', policy: readPolicy({}) },
        script: {
          pendingApplications: [{ id: 'next', executorId: 'runner-up' }],
          taskWords: [
            { kind: 'withdraw', worker: { id: 'other' }, text: 'Not this.' },
            { kind: 'withdraw', worker: { id: 'executor' }, text: 'I am ill.' },
          ],
        },
      },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        'changeTask task {escrowStatus:refunded} now',
        'moveTask task published now {executorId:null,escrowStatus:pending_assignment,escrowTx:null,startBy:null}',
        'clearEscrow task',
        'withdrawApplication task executor',
        'taskWords task',
        event(1, 'task.withdrawn', 'executor_id:executor,refund_tx:0xreclaimed,reason:I am ill.'),
        'pendingApplications task 1',
        event(
          2,
          'task.handed_on',
          'executor_id:runner-up,application_id:next,was:executor,' +
            'challenge:/api/v1/tasks/task/assign/challenge?executor_id=runner-up',
        ),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a worker who steps down and has been paid',
      { settlement: stepdown, movements: paid, task: { status: 'accepted' } },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_REFUNDABLE' } },
      [kept(10_000_000n), ...refundGivenUp, 'changeTask task {escrowStatus:released} now'],
    ],
    [
      'a stray that its payer took',
      { settlement: settlementOf('stray', giveBackOf()), movements: back },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [refused('ESCROW_NOT_REFUNDABLE')],
    ],
    [
      'a stray that is nowhere',
      { settlement: settlementOf('stray', capture()), movements: [] },
      { state: 'elsewhere', txHash: null },
      [refused('ESCROW_NOT_RELEASABLE')],
    ],
  ])('%s', async (_what, given, ending, lines) => {
    const done = await ended(given)
    expect(done.ending).toEqual(ending)
    expect(done.lines).toEqual(lines)
  })
})
