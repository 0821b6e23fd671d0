import { expect, test } from 'vitest'
import type { Check, CheckResult } from '../submissions/submission.ts'
import { checkWeights, weightedScore } from './verify-scene.ts'

const check = (name: string, result: CheckResult): Check =>
  ({ name, result, reason: '', code: 'no_place', figures: {} }) as const

test('the weights of the checks add up, and proximity and the reviewer weigh the most (decision 0053)', () => {
  expect(checkWeights).toEqual({
    schema: 12,
    proximity: 15,
    accuracy: 4,
    sample_jitter: 6,
    exact_target: 5,
    teleport: 8,
    rapid_repeat: 3,
    time_window: 8,
    clock: 2,
    exact_duplicate: 12,
    near_duplicate: 8,
    exif_consistency: 5,
    ai_markers: 5,
    screenshot: 2,
    review: 20,
  })
})

test('the score is what passed of what was decided, the coverage what was decided of what applied', () => {
  const checks = [
    check('schema', 'passed'),
    check('teleport', 'failed'),
    check('review', 'error'),
    check('proximity', 'not_applicable'),
  ]
  expect(weightedScore(checks)).toEqual({ score: 12 / 20, coverage: 20 / 40 })
  expect(weightedScore(checks.slice(2))).toEqual({ score: null, coverage: 0 })
  expect(weightedScore(checks.slice(3))).toEqual({ score: null, coverage: null })
  expect(weightedScore([check('schema', 'passed'), check('review', 'inconclusive')])).toEqual({
    score: 1,
    coverage: 12 / 32,
  })
})
