import { describe, expect, test } from 'vitest'
import type { Submission } from '../submissions/submission.ts'
import {
  acceptedWork,
  chosenPictures,
  isSameAsk,
  mayAsk,
  pictureChoices,
  stateAfterAnswer,
  stateAfterTakingBack,
  type Piece,
} from './piece.ts'

const file = (key: string, contentType = 'image/jpeg') => ({ key, content_type: contentType, bytes: 1, sha256: 'aa' })
const handedIn = (change: Partial<Submission> = {}): Submission =>
  ({ id: 's', executorId: 'worker', status: 'approved', evidence: {}, ...change }) as Submission
const piece = (state: Piece['state'], change: Partial<Piece> = {}): Piece => ({
  ...{ id: 'p', taskId: 'task', executorId: 'worker', publisher: 'publisher', state, asks: 1, sources: ['a', 'b'] },
  ...{ doneAt: new Date(0), askedAt: new Date(0), answeredAt: null },
  ...change,
})
const thrown = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    const { code, details } = error as { readonly code: string; readonly details: unknown }
    return [code, details]
  }
  return null
}

describe('work that can be shown (decision 0256)', () => {
  const task = { status: 'completed', executorId: 'worker' } as const
  test.each([
    ['of a completed task, accepted', task, [handedIn()], true],
    ['of a task that is not paid yet', { ...task, status: 'submitted' }, [handedIn()], false],
    ['of a task that was cancelled', { ...task, status: 'cancelled' }, [handedIn()], false],
    ['rejected', task, [handedIn({ status: 'rejected' })], false],
    ['waiting', task, [handedIn({ status: 'pending_review' })], false],
    ['of a worker before', task, [handedIn({ executorId: 'another' })], false],
    ['the accepted one of several', task, [handedIn({ status: 'rejected' }), handedIn()], true],
    ['of a session, which hands in nothing', task, [], false],
  ] as const)('%s', (_what, of, submissions, isThere) => {
    expect(acceptedWork(of, submissions) !== null).toBe(isThere)
  })

  test('pictures are files of a picture type whose pixels are opened, and nothing that only looks like one', () => {
    const evidence = {
      photo: file('a'),
      screenshot: file('b', 'image/png'),
      video: file('c', 'video/mp4'),
      document: file('d', 'application/pdf'),
      photo_geo: file('e', 'image/heic'),
      json_response: file('f'),
    }
    expect(pictureChoices({ evidence }).map(({ key }) => key)).toEqual(['a', 'b'])
  })

  test('the worker’s order is kept, and a key of anything else is refused', () => {
    const choices = [file('a'), file('b')]
    expect(chosenPictures(choices, ['b', 'a']).map(({ key }) => key)).toEqual(['b', 'a'])
    expect(chosenPictures(choices, [])).toEqual([])
    expect(thrown(() => chosenPictures(choices, ['a', 'z']))).toMatchObject([
      'VALIDATION_FAILED',
      { field: 'pictures', received: 'z' },
    ])
  })
})

describe('asking, answering and taking back', () => {
  const free = { isHidden: false, isGone: false }
  test.each([
    ['never asked', { ...free, piece: null }, true],
    ['a hidden task', { ...free, piece: null, isHidden: true }, false],
    ['a worker that left or is banned', { ...free, piece: null, isGone: true }, false],
    ['it waits', { ...free, piece: piece('asked') }, false],
    ['it is shown', { ...free, piece: piece('allowed') }, false],
    ['it was declined', { ...free, piece: piece('declined') }, false],
    ['it was taken back', { ...free, piece: piece('ended') }, true],
    ['it was taken back twice', { ...free, piece: piece('ended', { asks: 2 }) }, true],
    ['it was asked three times', { ...free, piece: piece('ended', { asks: 3 }) }, false],
  ])('the worker may ask: %s', (_when, standing, may) => {
    expect(mayAsk(standing)).toBe(may)
  })

  test.each([
    [piece('asked'), ['a', 'b'], true],
    [piece('asked'), ['b', 'a'], false],
    [piece('asked'), ['a'], false],
    [piece('asked'), ['a', 'b', 'c'], false],
    [piece('allowed'), ['a', 'b'], false],
    [null, [], false],
  ])('the same ask said again is known by its pictures in their order: %j %j', (one, keys, isSame) => {
    expect(isSameAsk(one, keys)).toBe(isSame)
  })

  test.each([
    ['asked', true, 'allowed'],
    ['asked', false, 'declined'],
    ['allowed', true, null],
    ['declined', false, null],
  ] as const)('what is %s and answered with %s becomes %s', (state, allow, after) => {
    expect(stateAfterAnswer({ piece: piece(state), taskId: 'task' }, allow)).toBe(after)
  })

  test.each([
    [null, true, 'none'],
    [piece('ended'), true, 'ended'],
    [piece('declined'), true, 'declined'],
    [piece('allowed'), false, 'allowed'],
  ] as const)('where nothing waits there is no answer: %j %s', (one, allow, state) => {
    expect(thrown(() => stateAfterAnswer({ piece: one, taskId: 'task' }, allow))).toEqual([
      'PORTFOLIO_NOT_OPEN',
      { task_id: 'task', state },
    ])
  })

  test.each([
    ['asked', 'worker', 'ended'],
    ['allowed', 'worker', 'ended'],
    ['declined', 'worker', null],
    ['ended', 'worker', null],
    ['asked', 'publisher', 'declined'],
    ['allowed', 'publisher', 'declined'],
    ['ended', 'publisher', null],
  ] as const)('what is %s and taken back by the %s becomes %s', (state, side, after) => {
    expect(stateAfterTakingBack(piece(state), side)).toBe(after)
    expect(stateAfterTakingBack(null, side)).toBeNull()
  })
})
