import { expect, test } from 'vitest'
import { pageLines } from './list-page.ts'

const page = { total: 3, count: 2, offset: 0, has_more: true }

test.each([
  ['names what comes behind it', ['a', 'b'], page, ['a', 'b', '', '2 of 3; go on with --offset 2']],
  [
    'counts from where it begins',
    ['c'],
    { total: 9, count: 1, offset: 4, has_more: true },
    ['c', '', '1 of 9; go on with --offset 5'],
  ],
  ['says nothing more at its end', ['c'], { total: 3, count: 1, offset: 2, has_more: false }, ['c']],
  [
    'is not taken for an empty list when it begins behind it',
    [],
    { total: 3, count: 0, offset: 7, has_more: false },
    ['0 of 3: --offset skips them all'],
  ],
  ['is shown beside a total that is older', ['a'], { total: 0, count: 1, offset: 0, has_more: false }, ['a']],
  ['says that there is none', [], { total: 0, count: 0, offset: 0, has_more: false }, ['No task.']],
])('a page of a list %s', (_, rows, shown, lines) => {
  expect(pageLines(rows, shown, 'No task.')).toEqual(lines)
})
