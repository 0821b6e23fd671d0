import { describe, expect, test } from 'vitest'
import type { CheckResult } from '../submissions/submission.ts'
import { checkWeights } from '../verification/verify-scene.ts'
import { requiredChecksPassed } from './required-checks.ts'

const at = new Date('2026-11-24T12:00:00Z')
const checks = (results: Readonly<Record<string, CheckResult>>) =>
  Object.keys(checkWeights).map((name) => ({
    name,
    result: results[name] ?? ('passed' as const),
    reason: '',
    code: null,
    figures: null,
  }))
const verified = (results: Readonly<Record<string, CheckResult>> = {}) => ({
  verifiedAt: at,
  takenDown: null,
  checks: checks(results),
})

describe('the required checks (decision 0157)', () => {
  test('pass when each passed or does not apply', () => {
    expect(requiredChecksPassed(verified())).toBe(true)
    expect(requiredChecksPassed(verified({ proximity: 'not_applicable', exact_duplicate: 'not_applicable' }))).toBe(
      true,
    )
  })

  test.each(Object.keys(checkWeights).filter((name) => name !== 'review'))('do not pass when %s failed', (name) => {
    expect(requiredChecksPassed(verified({ [name]: 'failed' }))).toBe(false)
    expect(requiredChecksPassed(verified({ [name]: 'error' }))).toBe(false)
  })

  test.each([
    ['proximity', false],
    ['teleport', false],
    ['time_window', false],
    ['exact_duplicate', false],
    ['near_duplicate', false],
    ['accuracy', true],
    ['screenshot', true],
  ])('left undecided by %s: %s', (name, isEnough) => {
    expect(requiredChecksPassed(verified({ [name]: 'inconclusive' }))).toBe(isEnough)
  })

  test('are those without a model: its word decides nothing', () => {
    expect(requiredChecksPassed(verified({ review: 'failed' }))).toBe(true)
    expect(requiredChecksPassed({ ...verified(), checks: checks({}).filter(({ name }) => name === 'review') })).toBe(
      false,
    )
  })

  test('have to have run, and what was taken down passes nothing', () => {
    expect(requiredChecksPassed({ ...verified(), verifiedAt: null })).toBe(false)
    expect(requiredChecksPassed({ ...verified(), takenDown: { at, hashes: {}, keys: [] } })).toBe(false)
  })
})
