import { expect, test } from 'vitest'
import { myPartOf } from './use-my-part.ts'

const task = { agent_id: '0xAb00000000000000000000000000000000000001', executor_id: null }
const event = (type: string, executor_id: string): Parameters<typeof myPartOf>[2] =>
  // Only the kind and the worker of an event say who one is.
  [{ type, data: { executor_id } }] as unknown as Parameters<typeof myPartOf>[2]
const wallet = '0xcd00000000000000000000000000000000000002'
const applied = event('worker.applied', 'me') ?? []

test('who reads a task is told apart by the session and by what was addressed to them', () => {
  expect(myPartOf(task, undefined, undefined)).toBeUndefined()
  expect(myPartOf(task, null, undefined)).toBe('visitor')
  expect(myPartOf(task, task.agent_id.toLowerCase(), [])).toBe('publisher')
  expect(myPartOf(task, wallet, undefined)).toBeUndefined()
  expect(myPartOf(task, wallet, [])).toBe('none')
  expect(myPartOf(task, wallet, applied)).toBe('applied')
  expect(myPartOf({ ...task, executor_id: 'me' }, wallet, applied)).toBe('assigned')
  expect(myPartOf({ ...task, executor_id: 'other' }, wallet, applied)).toBe('applied')
  const left = [...applied, ...(event('task.withdrawn', 'me') ?? [])]
  expect(myPartOf(task, wallet, left)).toBe('steppedDown')
  expect(myPartOf(task, wallet, [...left, ...applied])).toBe('applied')
})
