import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correlationOf } from './correlation.ts'

const facts = (tasksTogether: number, totalCompleted: number, distinctPublishers: number) => ({
  tasksTogether,
  totalCompleted,
  distinctPublishers,
})

test('without a completed task there is nothing to be correlated', () => {
  expect(correlationOf(undefined)).toBeNull()
  expect(correlationOf(facts(0, 0, 0))).toBeNull()
})

test.each([
  ['two tasks are no history', facts(2, 2, 1), false],
  ['three for one publisher', facts(3, 3, 1), true],
  ['three for one other publisher', facts(0, 3, 1), true],
  ['four in five', facts(4, 5, 2), true],
  ['just under four in five', facts(79, 100, 2), false],
  ['many publishers', facts(1, 10, 10), false],
] as const)('%s', (_what, given, flagged) => {
  expect(correlationOf(given)?.flagged).toBe(flagged)
})

test('the concentration is a share, and a flag needs three tasks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 1, max: 1_000 }),
      (total, together, distinct) => {
        const found = correlationOf(facts(Math.min(together, total), total, distinct))
        expect(found?.concentration).toBeGreaterThanOrEqual(0)
        expect(found?.concentration).toBeLessThanOrEqual(1)
        if (total < 3) expect(found?.flagged).toBe(false)
      },
    ),
  )
})
