import { expect, test } from 'vitest'
import { hearing, isPublic } from './room.ts'

const wallet = `0x${'ab'.repeat(20)}`

test('a party hears of its event, others of public ones alone', () => {
  expect(hearing({ type: 'submission.received', wallets: [wallet] }, wallet)).toBe('party')
  expect(hearing({ type: 'submission.received', wallets: [] }, wallet)).toBe('none')
  expect(hearing({ type: 'task.cancelled', wallets: [] }, wallet)).toBe('public')
})

test('an event of the market is public, one of the parties is not', () => {
  expect(isPublic({ type: 'task.completed' })).toBe(true)
  expect(isPublic({ type: 'submission.received' })).toBe(false)
})
