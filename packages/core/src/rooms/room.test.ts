import { expect, test } from 'vitest'
import { isPublic } from '../events/event.ts'
import { hearing } from './room.ts'

const wallet = `0x${'ab'.repeat(20)}`

test('a party hears of its event, others of public ones alone', () => {
  expect(hearing({ type: 'submission.received', data: {}, wallets: [wallet] }, wallet)).toBe('party')
  expect(hearing({ type: 'submission.received', data: {}, wallets: [] }, wallet)).toBe('none')
  expect(hearing({ type: 'task.cancelled', data: {}, wallets: [] }, wallet)).toBe('public')
})

test('an event of the market is public, one of the parties is not', () => {
  expect(isPublic({ type: 'task.completed', data: {} })).toBe(true)
  expect(isPublic({ type: 'submission.received', data: {} })).toBe(false)
  expect(isPublic({ type: 'task.created', data: {} })).toBe(true)
  expect(isPublic({ type: 'task.created', data: { listing_id: 'l' } })).toBe(false)
})
