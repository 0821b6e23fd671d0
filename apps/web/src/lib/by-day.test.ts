import { expect, test } from 'vitest'
import { byDay, nearDay } from './by-day.ts'

const local = (day: number, hour: number): string => new Date(2026, 2, day, hour, 30).toISOString()

test('what happened is grouped by the days of the calendar, in its order', () => {
  const at = [local(29, 23), local(29, 0), local(28, 12), local(1, 5)]
  expect(byDay(at, (one) => one).map(({ items }) => items)).toEqual([at.slice(0, 2), [at[2]], [at[3]]])
  expect(byDay([], String)).toEqual([])
})

test('today and yesterday are days of the calendar, over the change of the clocks too', () => {
  // 29 March 2026 has 23 hours in Europe.
  const now = Date.parse(local(30, 0))
  expect([local(30, 0), local(29, 0), local(28, 23)].map((at) => nearDay(at, now))).toEqual([
    'today',
    'yesterday',
    undefined,
  ])
})
