import { taskStatuses } from '@ergon/contract'
import { expect, test } from 'vitest'
import { whyClosed } from './why-closed.ts'

test('work is handed in for an assigned task by its worker alone', () => {
  const open = taskStatuses.filter((status) => whyClosed({ status, executor_id: 'w' }, 'w') === undefined)
  expect(open.toSorted()).toEqual(['accepted', 'in_progress'])
  for (const status of taskStatuses) expect(whyClosed({ status, executor_id: 'another-worker' }, 'w')).toBe('others')
})

test('whoever is not known as a worker yet is not told that the task is another worker’s', () => {
  expect(whyClosed({ status: 'accepted', executor_id: 'another-worker' }, null)).toBeUndefined()
})
