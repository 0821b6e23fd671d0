import { taskStatuses } from '@ergon/contract'
import { expect, test } from 'vitest'
import { whyClosed } from './why-closed.ts'

test('work is handed in for an assigned task by its worker alone', () => {
  const open = taskStatuses.filter((status) => whyClosed({ status, executor_id: 'w' }, 'w') === undefined)
  expect(open.toSorted()).toEqual(['accepted', 'in_progress'])
  for (const status of taskStatuses) expect(whyClosed({ status, executor_id: 'another-worker' }, 'w')).toBe('others')
})

test('whoever never worked does not do the task of another; of whom nothing is known, the service says it', () => {
  const task = { status: 'accepted', executor_id: 'another-worker' } as const
  expect(whyClosed(task, null)).toBe('others')
  expect(whyClosed(task, undefined)).toBeUndefined()
})
