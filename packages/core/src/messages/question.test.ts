import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { requireRoomForQuestion, takesQuestions, type Asked } from './question.ts'

const now = new Date('2026-11-21T12:00:00Z')
const later = new Date('2026-11-21T12:00:01Z')

test.each([
  ['published', later, true],
  ['published', now, false],
  ['accepted', later, false],
  ['cancelled', later, false],
] as const)('a task that is %s until %s takes questions: %s', (status, deadline, takes) => {
  expect(takesQuestions({ status, deadline }, now)).toBe(takes)
})

describe('a question is refused by the bound that is reached (decision 0233)', () => {
  const none: Asked = { inTask: 0, unanswered: 0, byWorker: 0, inDay: 0, dayBegan: new Date('2026-11-21T10:00:00Z') }
  const refusal = (asked: Asked): unknown => {
    try {
      requireRoomForQuestion(asked, 'task', now)
      return null
    } catch (error) {
      return error instanceof MarketError ? [error.code, error.details] : error
    }
  }
  test.each([
    ['inTask', 100, ['TASK_NOT_OPEN', { task_id: 'task', questions_max: 100 }]],
    ['byWorker', 5, ['TASK_NOT_OPEN', { task_id: 'task', questions_of_a_worker: 5 }]],
    ['unanswered', 20, ['RATE_LIMITED', { task_id: 'task', unanswered_max: 20 }]],
    [
      'inDay',
      30,
      ['RATE_LIMITED', { limit: 30, remaining: 0, reset_at: '2026-11-22T10:00:00.000Z', retry_after_sec: 79_200 }],
    ],
  ] as const)('%s at %d', (field, bound, told) => {
    expect([refusal({ ...none, [field]: bound - 1 }), refusal({ ...none, [field]: bound })]).toEqual([null, told])
  })
})
