import { describe, expect, test } from 'vitest'
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
  asAgreed,
  disputeReopened,
  disputeResolved,
  offerReopened,
  offerSettled,
  refused,
  rejected,
  type Lines,
} from '../testing/scripted-lines.ts'
import { capture, dispute, giveBackOf, moved, settlementOf } from '../testing/scripted-money.ts'

const returning = settlementOf('return', giveBackOf())
const award = settlementOf('award', capture(6_000_000n))
const remainder = settlementOf('remainder', giveBackOf(4_000_000n))
const decided = { lockDisputeOf: dispute() }
const disputed = { status: 'disputed' } as const

/** A ruling in force is asked for when its dispute is open again. */
const disputeAgain: Lines = [...disputeReopened, 'lockRulingOf task']
const returnGivenUp = (reopened: Lines): Lines =>
  givenUp('ESCROW_NOT_REFUNDABLE', 'refund', 10_000_000n, ['refuseRemainderOf task now', ...reopened])
const awardGivenUp = (reopened: Lines): Lines =>
  givenUp('ESCROW_NOT_RELEASABLE', 'settle', 6_000_000n, ['refuseRemainderOf task now', ...reopened])

describe('nothing is left of a payment that was decided or agreed upon, by other hands', () => {
  test.each<[string, EmptiedCase, unknown, Lines]>([
    [
      'a resolution for the payer, who took it',
      { settlement: returning, movements: back, task: disputed, script: decided },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        'changeTask task {escrowStatus:refunded} now',
        'lockSubmission submission',
        'lockDisputeOf submission',
        ...rejected(1, 'Half of it.', '0xreclaimed'),
        'lockDisputeOf submission',
        ...disputeResolved(2),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a resolution for the payer, who paid all the same',
      { settlement: returning, movements: paid, task: disputed, script: decided },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_REFUNDABLE' } },
      [
        kept(10_000_000n),
        ...disputeReopened,
        ...returnGivenUp(disputeAgain),
        'changeTask task {escrowStatus:released} now',
      ],
    ],
    [
      'an agreement for the payer, who took it',
      { settlement: { ...returning, ...byOffer }, movements: back, task: disputed, script: { ...agreed, ...decided } },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        'changeTask task {escrowStatus:refunded} now',
        'lockOffer offer',
        'lockSubmission submission',
        ...rejected(1, asAgreed, '0xreclaimed'),
        ...offerSettled,
        'lockDisputeOf submission',
        ...disputeResolved(2, asAgreed),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'an agreement for the payer, who paid all the same',
      { settlement: { ...returning, ...byOffer }, movements: paid, task: disputed, script: { ...agreed, ...decided } },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_REFUNDABLE' } },
      [
        kept(10_000_000n),
        'lockOffer offer',
        ...returnGivenUp(offerReopened),
        'changeTask task {escrowStatus:released} now',
      ],
    ],
    [
      'an award that its payer made itself, whole',
      { settlement: award, movements: paid, task: disputed, script: decided },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [
        kept(10_000_000n),
        'lockDisputeOf submission',
        ...completedFor(10_000_000n),
        'lockDisputeOf submission',
        ...disputeResolved(3),
        refused('ESCROW_NOT_RELEASABLE'),
      ],
    ],
    [
      'an award of which too little was paid before the rest went back',
      {
        settlement: award,
        movements: [locked, moved('captured', 5_000_000n), moved('voided', 5_000_000n)],
        task: disputed,
        script: decided,
      },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      [
        kept(5_000_000n),
        'lockDisputeOf submission',
        ...awardGivenUp(disputeAgain),
        'changeTask task {escrowStatus:released} now',
      ],
    ],
    [
      'an award of which enough was paid before the rest went back',
      {
        settlement: award,
        movements: [locked, moved('captured', 6_000_000n), moved('voided', 4_000_000n)],
        task: disputed,
        script: decided,
      },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [
        kept(6_000_000n),
        'lockDisputeOf submission',
        ...completedFor(6_000_000n),
        'lockDisputeOf submission',
        ...disputeResolved(3),
        refused('ESCROW_NOT_RELEASABLE'),
      ],
    ],
    [
      'an award whose money went back',
      { settlement: award, movements: back, task: disputed, script: decided },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      [
        'changeTask task {escrowStatus:refunded} now',
        ...awardGivenUp(disputeAgain),
        'changeTask task {escrowStatus:refunded} now',
      ],
    ],
    [
      'an agreed award that was paid by its payer',
      {
        settlement: { ...award, ...byOffer },
        movements: [locked, moved('captured', 6_000_000n), moved('voided', 4_000_000n)],
        task: disputed,
        script: { ...agreed, ...decided },
      },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [
        kept(6_000_000n),
        'lockOffer offer',
        ...completedFor(6_000_000n),
        'refuseRemainderOf task now',
        ...offerSettled,
        'lockDisputeOf submission',
        ...disputeResolved(3, asAgreed),
        refused('ESCROW_NOT_RELEASABLE'),
      ],
    ],
    [
      'an agreed award that was paid in part',
      {
        settlement: { ...award, ...byOffer },
        movements: [locked, moved('captured', 5_999_999n), moved('voided', 4_000_001n)],
        task: disputed,
        script: { ...agreed, ...decided },
      },
      { state: 'refused', refusal: { code: 'ESCROW_NOT_RELEASABLE' } },
      [kept(5_999_999n), ...awardGivenUp(offerReopened), 'changeTask task {escrowStatus:released} now'],
    ],
    [
      'a remainder that its payer took',
      {
        settlement: remainder,
        movements: [locked, moved('captured', 6_000_000n), moved('reclaimed', 4_000_000n)],
        task: disputed,
        script: decided,
      },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        kept(6_000_000n),
        'movements localnet hash',
        ...completedFor(6_000_000n),
        'changeTask task {escrowStatus:released,refundTx:0xreclaimed} now',
        'lockDisputeOf submission',
        ...disputeResolved(3),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'a remainder that was paid out',
      { settlement: remainder, movements: paid, task: { status: 'completed' }, script: decided },
      { state: 'elsewhere', txHash: '0xcaptured' },
      [
        kept(10_000_000n),
        'movements localnet hash',
        'changeTask task {escrowStatus:released} now',
        'lockDisputeOf submission',
        ...disputeResolved(1),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
    [
      'an agreed remainder',
      {
        settlement: { ...remainder, ...byOffer },
        movements: [locked, moved('captured', 6_000_000n), moved('reclaimed', 4_000_000n)],
        task: disputed,
        script: { ...agreed, ...decided },
      },
      { state: 'elsewhere', txHash: '0xreclaimed' },
      [
        kept(6_000_000n),
        'movements localnet hash',
        'lockOffer offer',
        ...completedFor(6_000_000n),
        'changeTask task {escrowStatus:released,refundTx:0xreclaimed} now',
        ...offerSettled,
        'lockDisputeOf submission',
        ...disputeResolved(3, asAgreed),
        refused('ESCROW_NOT_REFUNDABLE'),
      ],
    ],
  ])('%s', async (_what, given, ending, lines) => {
    const done = await ended(given)
    expect(done.ending).toEqual(ending)
    expect(done.lines).toEqual(lines)
  })
})
