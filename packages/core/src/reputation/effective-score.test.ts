import { expect, test } from 'vitest'
import { executorReputation } from './effective-score.ts'
import { isGiven } from './rating.ts'

test.each([
  ['nothing known of it', null, 0, { heuristic: null, effective: null, avgRating: null }],
  ['one task', null, 1, { heuristic: 60, effective: 60, avgRating: null }],
  ['five tasks', null, 5, { heuristic: 100, effective: 100, avgRating: null }],
  ['many tasks', null, 90, { heuristic: 100, effective: 100, avgRating: null }],
  ['a score on chain, which counts before the tasks', 87, 1, { heuristic: 60, effective: 87, avgRating: 4.35 }],
  ['the lowest score on chain', 0, 3, { heuristic: 80, effective: 0, avgRating: 0 }],
])('a worker with %s is scored so (spec §2)', (_what, onchain, tasksCompleted, expected) => {
  expect(executorReputation({ onchain, tasksCompleted })).toEqual({ onchain, tasksCompleted, ...expected })
})

test('a rating is for everybody once it is on its way to the registry', () => {
  const given = (['unsent', 'due', 'sending', 'confirmed', 'refused'] as const).filter((status) =>
    isGiven({ status } as Parameters<typeof isGiven>[0]),
  )
  expect(given).toEqual(['due', 'sending', 'confirmed'])
})
