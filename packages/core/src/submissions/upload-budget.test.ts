import { expect, test } from 'vitest'
import { uploadCharge, uploadRefusal } from './upload-budget.ts'

const limits = { perTask: 1, perWalletDay: 2, perDay: 3 }
const reset = new Date('2026-11-22T00:00:00Z')

test('a file counts for its bytes, and for 64 KiB at least', () => {
  expect([0, 65_536, 65_537].map(uploadCharge)).toEqual([65_536, 65_536, 65_537])
})

test('a task whose room is full waits for the purge, and no time is named', () => {
  const refusal = uploadRefusal({ budget: 'task', reset, secondsLeft: 9 }, limits)
  expect(refusal).toMatchObject({ code: 'UPLOAD_QUOTA_EXCEEDED', details: { limit_bytes: 1 } })
  expect(refusal.details).not.toHaveProperty('reset_at')
})

test.each([
  ['wallet', 2],
  ['day', 3],
] as const)('the day of a %s begins anew, with room for %i', (budget, limit_bytes) => {
  expect(uploadRefusal({ budget, reset, secondsLeft: 9 }, limits)).toMatchObject({
    code: 'UPLOAD_BUDGET_SPENT',
    details: { budget, limit_bytes, reset_at: '2026-11-22T00:00:00.000Z', retry_after_sec: 9 },
  })
})
