import { expect, test } from 'vitest'
import { mostKept, withHeard, type ActivityEvent } from './use-live-events.ts'

const event = (id: string): ActivityEvent => ({
  id,
  type: 'task.created',
  created_at: '2026-11-21T00:00:00Z',
  data: {},
})
const ids = (events: readonly ActivityEvent[]): string[] => events.map(({ id }) => id)

test('what is heard comes in front, the newest first, and nothing twice', () => {
  expect(ids(withHeard([event('b'), event('a')], [event('b'), event('c'), event('d')]))).toEqual(['d', 'c', 'b', 'a'])
})

test('a long life of the page keeps the newest', () => {
  const many = Array.from({ length: mostKept + 5 }, (_, index) => event(String(index)))
  const kept = ids(withHeard([], many))
  expect(kept).toHaveLength(mostKept)
  expect(kept[0]).toBe(String(mostKept + 4))
})
