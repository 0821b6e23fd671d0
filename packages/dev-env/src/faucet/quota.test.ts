import { expect, test } from 'vitest'
import { createQuota } from './quota.ts'

test('a key has so many calls in any minute, whatever others do', () => {
  const quota = createQuota(2)
  expect([quota.take('a', 0), quota.take('a', 30_000), quota.take('a', 59_999), quota.take('b', 59_999)]).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect([quota.take('a', 60_001), quota.take('a', 60_002), quota.take('a', 90_001)]).toEqual([true, false, true])
})
