import { expect, test } from 'vitest'
import { areBackwards, daysOf, isWithin, mayHaveMoved, searchOfDays } from './days.ts'

const november = { from: '2026-11-01', until: '2026-11-30' }
/** An instant of the clock of whoever runs this, as the service would write it. */
const here = (...parts: readonly [number, number, number, number, number]): string =>
  new Date(parts[0], parts[1] - 1, parts[2], parts[3], parts[4]).toISOString()

test.each([
  [{ from: '2026-11-01', until: '2026-11-30' }, november],
  [{}, { from: undefined, until: undefined }],
  [
    { from: '2026-11-31', until: 'soon' },
    { from: undefined, until: undefined },
  ],
  [{ from: '2026-1-1' }, { from: undefined, until: undefined }],
])('an address %j asks for the days %j', (search, days) => {
  expect(daysOf(search)).toEqual(days)
})

test.each([
  [here(2026, 11, 1, 0, 0), true],
  [here(2026, 11, 30, 23, 59), true],
  [here(2026, 10, 31, 23, 59), false],
  [here(2026, 12, 1, 0, 0), false],
  [null, false],
])("the last day counts to its end by the reader's clock: %s is within November: %s", (at, is) => {
  expect(isWithin(november, at)).toBe(is)
})

test('without days everything is shown, also what has none', () => {
  expect(isWithin({ from: undefined, until: undefined }, null)).toBe(true)
})

test('a task is asked about unless all of its life lies outside', () => {
  const task = { created_at: here(2026, 10, 1, 9, 0), updated_at: here(2026, 12, 24, 9, 0) }
  expect(mayHaveMoved(november, task)).toBe(true)
  expect(mayHaveMoved({ ...november, until: '2026-09-30', from: undefined }, task)).toBe(false)
  expect(mayHaveMoved({ from: '2026-12-25', until: undefined }, task)).toBe(false)
})

test('what a form says becomes an address without empty fields', () => {
  const form = new FormData()
  form.set('from', '2026-11-01')
  form.set('until', '')
  expect(searchOfDays(form)).toEqual({ from: '2026-11-01' })
})

test('a last day before the first one is noticed', () => {
  expect(areBackwards({ from: '2026-11-02', until: '2026-11-01' })).toBe(true)
  expect(areBackwards(november)).toBe(false)
})
