import { describe, expect, test } from 'vitest'
import type { RailOrder } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import {
  disputeReopened,
  event,
  offerReopened,
  paymentFailed,
  paymentNoted,
  refused,
  type Lines,
} from '../testing/scripted-lines.ts'
import {
  authorize,
  capture,
  charge,
  dispute,
  giveBackOf,
  heldTask,
  moved,
  offer,
  placeOn,
  settlementOf,
} from '../testing/scripted-money.ts'
import { giveBack, watchEnd } from './give-back.ts'

type Case = {
  readonly settlement: Settlement
  readonly current?: Partial<Settlement> | null
  readonly task?: Partial<Task> | null
  readonly script?: Script
  readonly code?: 'LOCK_REVERTED' | 'SETTLEMENT_FAILED' | 'FORBIDDEN'
}

async function given({ settlement, current = {}, task = {}, script = {}, code = 'LOCK_REVERTED' }: Case) {
  const lockSettlement = current === null ? null : { ...settlement, ...current }
  const held = task === null ? null : heldTask(task)
  const { deps, asked } = placeOn(heldTask(), { lockTask: held, lockSettlement, ...script })
  const isGiven = await giveBack(deps, settlement, { code })
  return { isGiven, lines: linesOf(asked) }
}

const assigning = { status: 'assigning', escrowStatus: 'pending_assignment' } as const
const lock = settlementOf('lock', authorize, { submissionId: null })
const fee = settlementOf('fee', charge())

const lockedToGiveBack: Lines = ['transaction', 'lockTask task', 'lockSettlement settlement']
/** The claim is refused, and its signature watched while its payer could still use it. */
const watched = (code: string): string =>
  `endSettlement settlement {status:refused,code:${code},watchUntil:2026-11-21T12:06:00.000Z,dueAt:now} now`
const strayBackClaimed =
  'claimSettlement {submissionId:null,executorId:executor,mustLand:true,rating:null,offerId:null,taskId:task,' +
  'purpose:stray,subject:stray:1:back,order:{key:stray:hash:#1,payment:hash,amount:10000000n USDC,' +
  'issuedAt:1795262400,after:{blockNumber:7n,logIndex:3},kind:void},id:#1,status:claimed,txHash:null,attempts:0,' +
  'sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} now'

describe('a claim whose payment did not happen is given back', () => {
  test.each<[string, Case, Lines]>([
    [
      'a lock: the task is open again, and its signature is watched',
      { settlement: lock, task: assigning },
      [
        ...lockedToGiveBack,
        watched('LOCK_REVERTED'),
        'moveTask task published now {escrowStatus:pending_assignment}',
        paymentNoted(1, 'settle', 10_000_000n, 'LOCK_REVERTED'),
        event(2, 'task.assign_failed', 'code:LOCK_REVERTED,retryable:true'),
      ],
    ],
    [
      'a lock of a task that went on',
      { settlement: lock, task: { status: 'cancelled' }, code: 'FORBIDDEN' },
      [
        ...lockedToGiveBack,
        watched('FORBIDDEN'),
        paymentNoted(1, 'settle', 10_000_000n, 'FORBIDDEN'),
        event(2, 'task.assign_failed', 'code:FORBIDDEN,retryable:false'),
      ],
    ],
    [
      'a release',
      { settlement: settlementOf('release', capture()), code: 'SETTLEMENT_FAILED' },
      [
        ...lockedToGiveBack,
        refused('SETTLEMENT_FAILED'),
        'changeTask task {escrowStatus:authorized} now',
        ...paymentFailed(1, 'settle', 10_000_000n, 'SETTLEMENT_FAILED'),
      ],
    ],
    [
      'a refund',
      { settlement: settlementOf('refund', giveBackOf(), { submissionId: null }) },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        ...paymentFailed(1, 'refund', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'the refund of a worker who stepped down',
      { settlement: settlementOf('stepdown', giveBackOf()) },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        ...paymentFailed(1, 'refund', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an award: its dispute is open again',
      { settlement: settlementOf('award', capture(6_000_000n)), script: { lockDisputeOf: dispute() } },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        ...disputeReopened,
        'lockRulingOf task',
        ...paymentFailed(1, 'settle', 6_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an award by a ruling: its task waits for the ruling again',
      {
        settlement: settlementOf('award', capture(6_000_000n)),
        script: { lockDisputeOf: dispute(), lockRulingOf: { status: 'standing', appealUntil: scriptedNow } },
      },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        ...disputeReopened,
        'lockRulingOf task',
        `changeTask task {turn:{kind:ruling,untilMs:${String(scriptedNow.getTime())}}} now`,
        ...paymentFailed(1, 'settle', 6_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an award against a ruling that was appealed: its task waits for the operator again',
      {
        settlement: settlementOf('award', capture(6_000_000n)),
        script: { lockDisputeOf: dispute(), lockRulingOf: { status: 'appealed', appealUntil: scriptedNow } },
      },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        ...disputeReopened,
        'lockRulingOf task',
        'changeTask task {turn:{kind:appealed}} now',
        ...paymentFailed(1, 'settle', 6_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'a return, whose dispute ended meanwhile',
      { settlement: settlementOf('return', giveBackOf()), script: { lockDisputeOf: dispute({ status: 'resolved' }) } },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        'lockDisputeOf submission',
        'lockRulingOf task',
        ...paymentFailed(1, 'refund', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an agreed award: its offer is open as before',
      { settlement: settlementOf('award', capture(), { offerId: 'offer' }), script: { lockOffer: offer() } },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        ...offerReopened,
        ...paymentFailed(1, 'settle', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an agreed return, whose offer was settled otherwise',
      {
        settlement: settlementOf('return', giveBackOf(), { offerId: 'offer' }),
        script: { lockOffer: offer({ status: 'settled' }) },
      },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'changeTask task {escrowStatus:authorized} now',
        'refuseRemainderOf task now',
        'lockOffer offer',
        ...paymentFailed(1, 'refund', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'a payout: its fee falls with it, and is watched',
      { settlement: settlementOf('payout', charge()), script: { refuseFeeOf: fee } },
      [
        ...lockedToGiveBack,
        watched('LOCK_REVERTED'),
        'refuseFeeOf submission now',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:06:00.000Z,dueAt:now} now',
        ...paymentFailed(1, 'settle', 8_700_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'a payout without a fee',
      { settlement: settlementOf('payout', charge()) },
      [
        ...lockedToGiveBack,
        watched('LOCK_REVERTED'),
        'refuseFeeOf submission now',
        ...paymentFailed(1, 'settle', 8_700_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'an agreed payout without a submission',
      {
        settlement: settlementOf('payout', charge(), { submissionId: null, offerId: 'offer' }),
        script: { lockOffer: offer() },
      },
      [
        ...lockedToGiveBack,
        watched('LOCK_REVERTED'),
        ...offerReopened,
        ...paymentFailed(1, 'settle', 8_700_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'a fee',
      { settlement: fee },
      [...lockedToGiveBack, watched('LOCK_REVERTED'), ...paymentFailed(1, 'disburse_fee', 8_700_000n, 'LOCK_REVERTED')],
    ],
    [
      'a remainder',
      { settlement: settlementOf('remainder', giveBackOf(4_000_000n)) },
      [...lockedToGiveBack, refused('LOCK_REVERTED'), ...paymentFailed(1, 'refund', 4_000_000n, 'LOCK_REVERTED')],
    ],
    [
      'a stray for the worker, which goes to the payer then',
      {
        settlement: settlementOf('stray', capture(), { subject: 'stray:1' }),
        script: { movements: [moved('authorized', 10_000_000n, { logIndex: 3 })] },
      },
      [
        ...lockedToGiveBack,
        refused('LOCK_REVERTED'),
        'movements localnet hash',
        strayBackClaimed,
        ...paymentFailed(2, 'settle', 10_000_000n, 'LOCK_REVERTED'),
      ],
    ],
    [
      'a stray for the payer',
      { settlement: settlementOf('stray', giveBackOf()) },
      [...lockedToGiveBack, refused('LOCK_REVERTED'), ...paymentFailed(1, 'refund', 10_000_000n, 'LOCK_REVERTED')],
    ],
  ])('%s', async (_what, one, lines) => {
    const done = await given(one)
    expect(done.isGiven).toBe(true)
    expect(done.lines).toEqual(lines)
  })

  test.each<[string, Case, boolean]>([
    ['it was given back before', { settlement: lock, current: { status: 'refused' } }, true],
    ['it is confirmed', { settlement: lock, current: { status: 'confirmed' } }, false],
    ['another process has taken it up', { settlement: lock, current: { attempts: 1 } }, false],
    ['there is none', { settlement: lock, current: null }, false],
    ['there is no task', { settlement: lock, task: null }, false],
  ])('once: where %s, nothing is written', async (_what, one, isGiven) => {
    const done = await given(one)
    expect([done.isGiven, done.lines]).toEqual([isGiven, lockedToGiveBack])
  })
  test('in doubt as well as claimed', async () => {
    expect((await given({ settlement: lock, current: { status: 'in_doubt' } })).isGiven).toBe(true)
  })
})

describe('a signature that its payer could still use is watched', () => {
  const after = (ms: number): Date => new Date(scriptedNow.getTime() + ms)
  const until = (seconds: number): bigint => BigInt(scriptedNow.getTime() / 1_000 + seconds)
  const lockUntil = (validBefore: bigint): RailOrder =>
    authorize.kind === 'authorize'
      ? { ...authorize, authorization: { ...authorize.authorization, validBefore } }
      : authorize
  const month = 30 * 86_400_000
  test.each<[string, RailOrder, Date | null]>([
    ['a lock, past its end by what clocks differ', lockUntil(until(60)), after(60_000 + 300_000)],
    ['a direct payment, too', charge({ validBefore: until(60) }), after(60_000 + 300_000)],
    ['for a month at the most', lockUntil(until(40 * 86_400)), after(month)],
    ['once more, where it has run out', lockUntil(until(-86_400)), after(0)],
    ['never a capture', capture(), null],
    ['never a refund', giveBackOf(), null],
    [
      'never a payment that ends with its transaction',
      charge({ alongside: { to: 'treasury', amount: capture().amount } }),
      null,
    ],
  ])('%s', (_what, order, end) => {
    expect(watchEnd(settlementOf('lock', order), scriptedNow)).toEqual(end)
  })
})
