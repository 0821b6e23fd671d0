import { expect, test } from 'vitest'
import { sentenceOf, tallyOf } from './test.ts'

const green = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }

test('the last line adds up what ran', () => {
  expect(sentenceOf(tallyOf({ ...green, numFailedTests: 2 }))).toBe('3 passed, 2 failed')
})

test('skipped and promised tests are named only when there are any', () => {
  expect(sentenceOf(tallyOf({ ...green, numPendingTests: 1, numTodoTests: 1 }))).toBe('3 passed, 0 failed, 2 skipped')
})

test('a file that does not load counts as one failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(tallyOf({ ...green, testResults })).toEqual({ passed: 3, failed: 1, skipped: 0 })
})

test('a failed test is not counted twice through its file', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]
  expect(tallyOf({ ...green, numFailedTests: 1, testResults }).failed).toBe(1)
})
