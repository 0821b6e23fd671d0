import { expect, test } from 'vitest'
import type { ActivityEvent } from './use-live-events.ts'
import { withoutEchoes } from './without-echoes.ts'

const event = (id: string, type: ActivityEvent['type'], task: string, minute: number): ActivityEvent => ({
  id,
  type,
  created_at: new Date(Date.UTC(2026, 10, 26, 9, minute)).toISOString(),
  data: { task_id: task },
})

test('what changes a task that was only just posted is no news; later changes and those of others are', () => {
  const events = [
    event('e', 'task.updated', 'b', 9),
    event('d', 'task.completed', 'a', 8),
    event('c', 'task.updated', 'a', 7),
    event('b', 'task.updated', 'a', 1),
    event('a', 'task.created', 'a', 0),
  ]
  expect(withoutEchoes(events).map(({ id }) => id)).toEqual(['e', 'd', 'c', 'a'])
})
