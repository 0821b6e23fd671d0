import { limits } from '@ergon/contract'
import { expect, test } from 'vitest'
import { readGiven, readRating, scoreOf, stars } from './stars.ts'

const taskId = '018f4ad2-7f3a-7c1e-8b11-0f6d2f9c1a55'

test('stars go to the chain as a score of the hundred: five are all of it', () => {
  expect(stars.map(scoreOf)).toEqual([20, 40, 60, 80, 100])
  expect(readRating(taskId, { stars: 5, comment: ' Clear and quick. ' })).toEqual({
    input: { task_id: taskId, score: 100, comment: 'Clear and quick.' },
  })
  expect(readRating(taskId, { stars: 1, comment: ' ' })).toEqual({ input: { task_id: taskId, score: 20 } })
})

test('no stars are no rating, and a comment is held against its limit', () => {
  expect(readRating(taskId, { stars: undefined, comment: '' })).toEqual({ faults: { score: { rule: 'required' } } })
  expect(readRating(taskId, { stars: 3, comment: 'x'.repeat(limits.commentMax + 1) })).toMatchObject({
    faults: { comment: { rule: 'too_long' } },
  })
})

test('a rating that was given is read from its document, and nothing from what is none', () => {
  expect(readGiven({ rating: { score: 80, max_score: 100, comment: 'Clear words.' } })).toEqual({
    score: 80,
    comment: 'Clear words.',
  })
  expect(readGiven({ rating: { score: 80 } })).toEqual({ score: 80, comment: '' })
  for (const none of [undefined, null, 'text', {}, { rating: null }, { rating: { score: '80' } }])
    expect(readGiven(none)).toBeUndefined()
})
