import { expect, test } from 'vitest'
import { spreadOf } from './spread-of.ts'

test('each score counts at the stars it is nearest to, and none is lost at the ends', () => {
  const { mean, counts } = spreadOf([100, 92, 80, 60, 0])
  expect(mean).toBeCloseTo(66.4)
  expect(counts.map(({ stars, count }) => [stars, count])).toEqual([
    [5, 2],
    [4, 1],
    [3, 1],
    [2, 0],
    [1, 1],
  ])
})

test('where nobody rated there is no mean of nothing', () => {
  expect(spreadOf([]).mean).toBe(0)
})
