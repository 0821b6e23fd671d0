import { describe, expect, test } from 'vitest'
import { aTask } from '../testing/factories.ts'
import { nextAction } from './next-action.ts'
import { readPolicy } from './policy.ts'

const deadline = new Date('2026-11-25T00:00:00Z')
const reviewUntil = new Date('2026-11-24T12:00:00Z')
const policy = readPolicy({})
const held = { deadline, escrowStatus: 'authorized' } as const

test.each([
  ['published', {}, ['workers', 'apply', deadline, 'expire']],
  ['accepted', {}, ['worker', 'hand_in', deadline, 'expire']],
  ['accepted', { startBy: reviewUntil }, ['worker', 'begin', reviewUntil, 'hand_on']],
  ['in_progress', {}, ['worker', 'hand_in', deadline, 'expire']],
  ['in_progress', { policy }, ['worker', 'hand_in', deadline, 'dispute_or_expire']],
  ['accepted', { evidenceRequired: [] }, ['worker', 'tick', deadline, null]],
  ['in_progress', { evidenceRequired: [] }, ['worker', 'tick', deadline, null]],
  ['verifying', {}, ['publisher', 'decide', deadline, 'expire']],
  ['verifying', { policy, reviewUntil }, ['publisher', 'decide', reviewUntil, 'release_or_dispute']],
  ['verifying', { policy, reviewUntil: null }, ['publisher', 'decide', deadline, 'release_or_dispute']],
  [
    'verifying',
    { policy: readPolicy({ onSilence: 'dispute' }), reviewUntil },
    ['publisher', 'decide', reviewUntil, 'dispute'],
  ],
  ['disputed', {}, ['operator', 'rule', deadline, 'expire']],
  ['disputed', { policy }, ['operator', 'rule', deadline, 'release_or_expire']],
  ['assigning', {}, ['service', 'settle', null, null]],
  ['verifying', { escrowStatus: 'releasing' }, ['service', 'settle', null, null]],
  ['expired', { escrowStatus: 'refunding' }, ['service', 'settle', null, null]],
  ['verifying', { escrowStatus: 'none', isPaying: true }, ['service', 'settle', null, null]],
] as const)('%s, %j: whose turn it is', (status, given, [who, what, by, otherwise]) => {
  expect(nextAction({ ...aTask({ ...held, status, ...given }), ...given })).toEqual({ who, what, by, otherwise })
})

test('a publisher who reads that workers wait is to assign one of them', () => {
  expect(nextAction({ ...aTask({ deadline }), applicants: 2 })).toMatchObject({ who: 'publisher', what: 'assign' })
})

test.each(['completed', 'cancelled', 'expired', 'draft'] as const)('%s: nobody is to do anything', (status) => {
  expect(nextAction(aTask({ ...held, status, escrowStatus: 'released' }))).toBeNull()
})

describe('what two parties or an arbiter have put in the way (decisions 0167, 0168)', () => {
  const until = new Date('2026-11-23T00:00:00Z')
  const offered = { kind: 'offer', of: 'worker', untilMs: until.getTime() } as const

  test('an offer in a dispute is for its other side to answer', () => {
    expect(nextAction({ ...aTask({ ...held, status: 'disputed' }), turn: offered })).toMatchObject({
      who: 'worker',
      what: 'answer_offer',
      by: until,
    })
  })

  test('an offer to the side that nobody waits for hides nothing', () => {
    expect(
      nextAction({ ...aTask({ ...held, status: 'verifying', policy, reviewUntil }), turn: offered }),
    ).toMatchObject({
      who: 'publisher',
      what: 'decide',
    })
  })

  test('who is awaited anyway answers an offer before its own time is over, however long the offer lasts', () => {
    const verifying = { ...aTask({ ...held, status: 'verifying', policy, reviewUntil }) }
    const by = (untilMs: number): unknown =>
      nextAction({ ...verifying, turn: { ...offered, of: 'publisher', untilMs } })?.by
    expect(by(deadline.getTime())).toEqual(reviewUntil)
    expect(by(until.getTime())).toEqual(until)
  })

  test('a ruling waits for its appeal, and what is owed for who owes it', () => {
    const ruled = { kind: 'ruling', untilMs: until.getTime() } as const
    const disputed = aTask({ ...held, status: 'disputed' })
    expect(nextAction({ ...disputed, turn: ruled })).toMatchObject({ who: 'service', what: 'carry_out', by: until })
    expect(nextAction({ ...disputed, turn: { kind: 'owed' } })).toMatchObject({ who: 'publisher', what: 'pay' })
  })

  const named = { ...policy, arbiter: '0x5555555555555555555555555555555555555555' }

  test('a ruling that was taken to the operator waits for nobody else', () => {
    const task = aTask({ ...held, status: 'disputed', policy: named })
    const appealed = { ...task, deciders: 'named', turn: { kind: 'appealed' } } as const
    expect(nextAction(appealed)).toMatchObject({ who: 'operator', what: 'rule', otherwise: 'release_or_expire' })
  })

  test.each([
    ['named', 'arbiter'],
    ['any', 'arbiter'],
    ['operator', 'operator'],
    [null, 'operator'],
  ] as const)('a dispute waits for whoever may decide it: %s, %s', (deciders, who) => {
    expect(nextAction({ ...aTask({ ...held, status: 'disputed', policy: named }), deciders })).toMatchObject({
      who,
      what: 'rule',
    })
  })
})
