import { describe, expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { wordsFor, writtenWords, type TaskWords } from './task-words.ts'

const [publisher, worker, earlier, applicant] = ['0xp', '0xw', '0xe', '0xa'] as const
const as = (wallet: string): Caller => ({ kind: 'wallet', wallet, agentId: null, via: 'signature' })
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 12, minute))
const task = { status: 'accepted', executorId: 'w', publisherWallet: publisher } as const

const said: readonly TaskWords[] = [
  { kind: 'assign', author: publisher, worker: { id: 'e', wallet: earlier }, text: 'Ring twice.', at: at(1) },
  { kind: 'withdraw', author: earlier, worker: { id: 'e', wallet: earlier }, text: 'I am ill.', at: at(2) },
  { kind: 'assign', author: publisher, worker: { id: 'w', wallet: worker }, text: 'Ring once.', at: at(3) },
  { kind: 'cancel', author: publisher, worker: null, text: 'It rains.', at: at(4) },
  { kind: 'approve', author: publisher, worker: { id: 'w', wallet: worker }, text: 'On time.', at: at(5) },
]
const nothing = { assign: null, cancel: null, withdraw: null, approve: null }

describe('who reads what was written with a move', () => {
  test.each([
    [
      'the publisher, of the worker at work',
      as(publisher),
      { ...nothing, assign: 'Ring once.', withdraw: 'I am ill.' },
    ],
    ['the worker, its own notes', as(worker), { ...nothing, assign: 'Ring once.' }],
    ['the worker who stepped down, its own reason', as(earlier), { ...nothing, withdraw: 'I am ill.' }],
    ['an applicant, nothing', as(applicant), nothing],
    ['a reader without a wallet, nothing', { kind: 'anonymous' } as const, nothing],
  ])('%s', (_who, reader, expected) => {
    expect(wordsFor(task, said, reader)).toEqual(expected)
  })

  test('the reason of a cancellation, once it is cancelled: the applicants too', () => {
    const cancelled = { ...task, status: 'cancelled', executorId: null } as const
    expect(wordsFor(cancelled, said, as(applicant))).toEqual({ ...nothing, cancel: 'It rains.' })
    expect(wordsFor(cancelled, said, { kind: 'anonymous' })).toEqual(nothing)
  })

  test('what an approval said, once the worker is paid: the two sides', () => {
    const completed = { ...task, status: 'completed' } as const
    for (const side of [publisher, worker]) expect(wordsFor(completed, said, as(side)).approve).toBe('On time.')
    expect(wordsFor(completed, said, as(earlier)).approve).toBeNull()
    expect(wordsFor({ ...completed, executorId: 'e' }, said, as(publisher)).approve).toBeNull()
  })

  test('a worker who tried to step down and is still at work said nothing yet', () => {
    expect(wordsFor({ ...task, executorId: 'e' }, said, as(publisher)).withdraw).toBeNull()
  })

  test('of several workers who stepped down the last', () => {
    const two = [
      ...said,
      { ...(said[1] as TaskWords), worker: { id: 'f', wallet: '0xf' }, text: 'Too far.', at: at(5) },
    ]
    expect(wordsFor(task, two, as(publisher)).withdraw).toBe('Too far.')
    expect(wordsFor(task, two.toReversed(), as(publisher)).withdraw).toBe('Too far.')
  })
})

test('blank words are none', () => {
  expect([null, '', ' \n'].map(writtenWords)).toEqual([null, null, null])
  expect(writtenWords(' It rains. ')).toBe(' It rains. ')
})
