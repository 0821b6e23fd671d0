import { expect, test } from 'vitest'
import { createIds } from './ids.ts'

const at = (ms: number): Date => new Date(Date.UTC(2026, 10, 21) + ms)
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ten thousand ids of one millisecond are distinct and in the order they were made', () => {
  const ids = createIds(() => at(0))
  const made = Array.from({ length: 10_000 }, () => ids.next())
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
  expect(made.filter((id) => !version7.test(id))).toEqual([])
})

test('an id is later than every one before while the clock stops, runs and goes back', () => {
  let ms = 0
  const ids = createIds(() => at(ms))
  const made: string[] = []
  for (const step of [0, 1, 0, -5, -5, 3, 0, 20, 0, -100, 1]) {
    ms += step
    for (let count = 0; count < 50; count += 1) made.push(ids.next())
  }
  expect(made.toSorted()).toEqual(made)
})

test('an id begins with the milliseconds of its making, and two sources do not make the same', () => {
  const [one, other] = [createIds(() => at(7)).next(), createIds(() => at(7)).next()]
  expect(Number.parseInt(one.replaceAll('-', '').slice(0, 12), 16)).toBe(at(7).getTime())
  expect(one).not.toBe(other)
})
