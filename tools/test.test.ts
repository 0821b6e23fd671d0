import { expect, test } from 'vitest'
import { sentenceOf, tallyOf } from './test.ts'

const file = { file: 'a.test.ts', passed: 3, failed: 0, skipped: 0 }
const lines = (...all: readonly unknown[]): string[] => all.map((line) => JSON.stringify(line))

test('the last line adds up what ran', () => {
  expect(sentenceOf(tallyOf(lines({ files: 2 }, file, { ...file, failed: 2 })))).toBe('6 passed, 2 failed')
})

test('skipped tests are named only when there are any', () => {
  expect(sentenceOf(tallyOf(lines({ files: 1 }, { ...file, skipped: 2 })))).toBe('3 passed, 0 failed, 2 skipped')
})

test('a run that was cut says what it had, and each file that did not end is a failure', () => {
  expect(sentenceOf(tallyOf([...lines({ files: 3 }, file), '{"file":"b.te']))).toBe('3 passed, 2 failed, 2 files did not end')
})

test('a run that wrote nothing failed', () => {
  expect(tallyOf(['']).failed).toBe(1)
})
