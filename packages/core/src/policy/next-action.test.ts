import { expect, test } from 'vitest'
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
  ['verifying', {}, ['publisher', 'decide', deadline, 'expire']],
  ['verifying', { policy, reviewUntil }, ['publisher', 'decide', reviewUntil, 'release_or_dispute']],
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
] as const)('%s, %j: whose turn it is', (status, given, [who, what, by, otherwise]) => {
  expect(nextAction(aTask({ ...held, status, ...given }))).toEqual({ who, what, by, otherwise })
})

test('a publisher who reads that workers wait is to assign one of them', () => {
  expect(nextAction({ ...aTask({ deadline }), applicants: 2 })).toMatchObject({ who: 'publisher', what: 'assign' })
})

test.each(['completed', 'cancelled', 'expired', 'draft'] as const)('%s: nobody is to do anything', (status) => {
  expect(nextAction(aTask({ ...held, status, escrowStatus: 'released' }))).toBeNull()
})
