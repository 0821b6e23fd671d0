import { expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import { requireRoomForInvitation, type Invited } from './invitation.ts'

const now = new Date('2026-11-26T12:00:00Z')
const none: Invited = {
  inTask: 0,
  byPublisher: 0,
  ofWorker: 0,
  publisherDayBegan: new Date('2026-11-26T10:00:00Z'),
  workerDayBegan: new Date('2026-11-26T11:00:00Z'),
}
const refusal = (invited: Invited): unknown => {
  try {
    requireRoomForInvitation(invited, 'task', now)
    return null
  } catch (error) {
    return error instanceof MarketError ? [error.code, error.details] : error
  }
}
const spent = (reset: string, seconds: number) => [
  'RATE_LIMITED',
  { limit: 20, remaining: 0, reset_at: reset, retry_after_sec: seconds },
]

test.each([
  ['inTask', 50, ['TASK_NOT_OPEN', { task_id: 'task', invitations_max: 50 }]],
  ['byPublisher', 20, spent('2026-11-27T10:00:00.000Z', 79_200)],
  ['ofWorker', 20, spent('2026-11-27T11:00:00.000Z', 82_800)],
] as const)('an invitation is refused by the bound that is reached (decision 0238): %s at %d', (field, bound, told) => {
  expect([refusal({ ...none, [field]: bound - 1 }), refusal({ ...none, [field]: bound })]).toEqual([null, told])
})
