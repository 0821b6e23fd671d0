import { expect, test } from 'vitest'
import { longest } from './longest-first.ts'
import { inTurn, longFiles, turns } from './turns.ts'

const files = longFiles()
const days = Array.from({ length: turns }, (_, at) => inTurn(files, 20_000 + at))

test('every long test has its turn within two weeks', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !days.some((day) => day.includes(file)))).toEqual([])
})

test('and keeps it when another file comes between', () => {
  const added = (day: number) => inTurn([`apps/aaa${String(day)}.long.test.ts`, ...files.slice(day)], 20_000 + day)
  const ran = days.map((_, day) => added(day))
  for (const [at, day] of days.entries())
    expect(day.filter((file) => files.indexOf(file) >= turns - 1 && !ran[at]?.includes(file))).toEqual([])
})

test('and no more than one', () => {
  for (const file of files) expect([file, days.filter((day) => day.includes(file)).length]).toEqual([file, 1])
})

test('what takes longest is not all of one day', () => {
  const slow = longest.filter((file) => files.includes(file))
  for (const day of days) expect(slow.filter((file) => day.includes(file)).length).toBeLessThan(slow.length / 5)
})

test('of the files that are said to take longest each is there', () => {
  expect(longest.filter((file) => !files.includes(file))).toEqual([])
})
