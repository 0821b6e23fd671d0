import { expect, test } from 'vitest'
import { failedFiles, sentenceOf, slowestOf, tallyAgain, tallyOf, unendedFiles } from './test.ts'

const file = { file: 'a.test.ts', passed: 3, failed: 0, skipped: 0, ms: 1_500 }
const lines = (...all: readonly unknown[]): string[] => all.map((line) => JSON.stringify(line))

test('the last line adds up what ran', () => {
  expect(sentenceOf(tallyOf(lines({ files: 2 }, file, { ...file, failed: 2 })))).toBe('6 passed, 2 failed')
})

test('skipped tests are named only when there are any', () => {
  expect(sentenceOf(tallyOf(lines({ files: 1 }, { ...file, skipped: 2 })))).toBe('3 passed, 0 failed, 2 skipped')
})

test('a run that was cut says what it had, and each file that did not end is a failure', () => {
  expect(sentenceOf(tallyOf([...lines({ files: 3 }, file), '{"file":"b.te']))).toBe(
    '3 passed, 2 failed, 2 files did not end',
  )
})

test('which files did not end is known by name', () => {
  expect(unendedFiles(lines({ files: 2, named: ['a.test.ts', 'b.test.ts'] }, file))).toEqual(['b.test.ts'])
  expect(unendedFiles([''])).toEqual([])
})

test('the slowest files are named, with what all took together', () => {
  const slow = { ...file, file: 'b.test.ts', ms: 61_000 }
  expect(slowestOf(lines({ files: 3 }, file, slow, { ...file, file: 'c.test.ts' }), 2)).toEqual([
    '   61.0 s  b.test.ts',
    '    1.5 s  a.test.ts',
    '   64.0 s  3 files, one after the other',
  ])
})

test('a run that wrote nothing failed', () => {
  expect(tallyOf(['']).failed).toBe(1)
})

test('of what failed and runs again, the second verdict counts, and what passes then is told as unsteady', () => {
  const first = lines(
    { files: 3 },
    file,
    { ...file, file: 'b.test.ts', failed: 1 },
    { ...file, file: 'c.test.ts', failed: 2 },
  )
  expect(failedFiles(first)).toEqual(['b.test.ts', 'c.test.ts'])
  const again = lines(
    { files: 2 },
    { ...file, file: 'b.test.ts', passed: 4 },
    { ...file, file: 'c.test.ts', failed: 2 },
  )
  expect(sentenceOf(tallyAgain(first, again))).toBe('10 passed, 2 failed, unsteady: b.test.ts')
})

test('what was to run again and did not end has failed', () => {
  const first = lines({ files: 2 }, file, { ...file, file: 'b.test.ts', failed: 1 })
  expect(sentenceOf(tallyAgain(first, lines({ files: 1 })))).toBe('6 passed, 1 failed')
})

test('an error outside any test is a failure, also when what failed beside it passes the second time', () => {
  const first = [...lines({ files: 1 }, { ...file, failed: 1 }), '{"outside":1,"beside":[]}']
  expect(sentenceOf(tallyAgain(first, lines({ files: 1 }, file)))).toBe('3 passed, 1 failed, unsteady: a.test.ts')
})

test('a file beside which an error came outside any test runs once more, and its second verdict counts', () => {
  const outside = '{"outside":1,"beside":["b.test.ts"]}'
  const first = [...lines({ files: 2 }, file, { ...file, file: 'b.test.ts' }), outside]
  expect(failedFiles(first)).toEqual(['b.test.ts'])
  const again = lines({ files: 1 }, { ...file, file: 'b.test.ts' })
  expect(sentenceOf(tallyAgain(first, again))).toBe('6 passed, 0 failed, unsteady: b.test.ts')
  expect(sentenceOf(tallyAgain(first, [...again, outside]))).toBe('6 passed, 1 failed')
})
