import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('what is asked together or within the time is read once, and after it again', async () => {
  let [now, reads] = [0, 0]
  const ask = remembered({ monotonic: () => now }, 1_000, () => Promise.resolve((reads += 1)))
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  now = 999
  expect(await ask()).toBe(1)
  now = 1_000
  expect(await ask()).toBe(2)
})
