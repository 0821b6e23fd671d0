import { limits } from '@ergon/contract'
import { expect, test } from 'vitest'
import { sliceFrom } from '../src/api/present/page.ts'

const all = ['one', 'two', 'three', 'four', 'five']

test('what is in memory whole is shown in parts: so many rows, behind so many', () => {
  expect(sliceFrom(all, { limit: 2 })).toEqual({ rows: ['one', 'two'], total: 5, offset: 0, hasMore: true })
  expect(sliceFrom(all, { limit: 2, offset: 3 })).toEqual({
    rows: ['four', 'five'],
    total: 5,
    offset: 3,
    hasMore: false,
  })
  expect(sliceFrom(all, { offset: 9 })).toEqual({ rows: [], total: 5, offset: 9, hasMore: false })
})

test('a list that is nearly always read whole is shown whole up to the largest page', () => {
  const long = Array.from({ length: limits.pageMax + 1 }, (_, index) => index)
  expect(sliceFrom(all, {}).rows).toEqual(all)
  expect(sliceFrom(long, {}).rows).toHaveLength(limits.pageMax)
})
