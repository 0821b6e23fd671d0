import { expect, test } from 'vitest'
import type { ReadTask } from './read-tasks.ts'
import { rowKeys } from './row-keys.ts'

const task = (title: string, line = 2): ReadTask => ({ line, fields: { title, bounty_usd: 1 }, faults: {} })

test('a row has one key wherever it is, and two rows alike have two', () => {
  const [a, b, again] = rowKeys([task('a'), task('b'), task('a', 9)], '')
  expect(rowKeys([task('b', 7), task('a', 8)], ' ')).toEqual([b, a])
  expect(new Set([a, b, again]).size).toBe(3)
  expect(a).toMatch(/^table-[0-9a-f]{32}$/)
})

test('another name of the batch is another act', () => {
  expect(rowKeys([task('a')], 'week 48')).not.toEqual(rowKeys([task('a')], 'week 49'))
})

test('the order in which fields were written makes no other act of a row', () => {
  const turned: ReadTask = { line: 2, fields: { bounty_usd: 1, title: 'a' }, faults: {} }
  expect(rowKeys([turned], '')).toEqual(rowKeys([task('a')], ''))
})
