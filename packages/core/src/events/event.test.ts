import { describe, expect, test } from 'vitest'
import { concerns, publicEvents } from './event.ts'

const event = {
  id: 'e',
  type: 'task.created',
  taskId: 't',
  at: new Date(0),
  data: {},
  place: '1',
  wallets: ['0x01'],
} as const
const anything = { wallet: null, types: null, taskId: null }

describe('a reader asks for an event', () => {
  test.each([
    ['of anything', {}, true],
    ['of its wallet', { wallet: '0x01' }, true],
    ['of another wallet', { wallet: '0x02' }, false],
    ['of its type', { types: ['task.updated', 'task.created'] as const }, true],
    ['of another type', { types: ['task.updated'] as const }, false],
    ['of its task', { taskId: 't' }, true],
    ['of another task', { taskId: 'u' }, false],
    ['of its wallet and another task', { wallet: '0x01', taskId: 'u' }, false],
    ['of another wallet and its task', { wallet: '0x02', taskId: 't' }, false],
    ['of another wallet, or in public', { wallet: '0x02', orPublic: true as const }, true],
    [
      'of another wallet, or in public, and another task',
      { wallet: '0x02', orPublic: true as const, taskId: 'u' },
      false,
    ],
    ['of another type and its task', { types: ['task.updated'] as const, taskId: 't' }, false],
  ])('%s', (_what, query, isAsked) => {
    expect(concerns({ ...anything, ...query }, event)).toBe(isAsked)
  })
})

test('what happens to a task in public is these five', () => {
  expect(publicEvents).toEqual(['task.created', 'task.updated', 'task.cancelled', 'task.expired', 'task.completed'])
})
