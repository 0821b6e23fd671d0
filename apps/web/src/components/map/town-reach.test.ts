import { expect, test } from 'vitest'
import { reachOf } from './town-reach.ts'

test('the larger a town is, the further it reaches, and none reaches nowhere', () => {
  const reaches = [0, 1, 10, 99, 1_000, 9_000, 30_000, 1_000_000].map(reachOf)
  expect(reaches).toEqual(reaches.toSorted((one, other) => other - one))
  expect(reaches[0]).toBe(24)
  expect(reaches.at(-1)).toBe(1.2)
  expect(reachOf(99)).toBeCloseTo(14, 1)
})
