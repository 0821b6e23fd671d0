import { expect, test } from 'vitest'
import { createBuckets } from '../src/index.ts'

test('a bucket empties, says how long to wait, and fills by the millisecond', () => {
  let now = 0
  const take = createBuckets({ burst: 2, perSecond: 0.5 }, () => now)
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 2, 0])
  now = 1_000
  expect(take('a')).toBe(1)
  now = 2_000
  expect([take('a'), take('a')]).toEqual([0, 2])
  now = 60_000
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 2])
})

test('a flood of keys takes nobody else their count', () => {
  const take = createBuckets({ burst: 1, perSecond: 1 }, () => 0)
  expect([take('mallory'), take('mallory')]).toEqual([0, 1])
  for (let index = 0; index < 19_999; index += 1) take(String(index))
  expect(take('mallory')).toBe(1)
  for (let index = 0; index < 19_999; index += 1) take(`again ${String(index)}`)
  expect(take('mallory')).toBe(1)
  for (let index = 0; index < 20_000; index += 1) take(`at last ${String(index)}`)
  expect(take('mallory')).toBe(0)
})
