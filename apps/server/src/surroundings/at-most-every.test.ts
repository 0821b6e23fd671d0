import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the first is heard at once, those of the gap behind it are heard together when it is over, and none is lost', () => {
  const heardAt: number[] = []
  const startedAt = performance.now()
  const { call } = atMostEvery(50, () => {
    heardAt.push(performance.now() - startedAt)
  })
  call()
  expect(heardAt).toEqual([0])
  for (let ms = 0; ms < 120; ms += 1) {
    vi.advanceTimersByTime(1)
    call()
  }
  vi.advanceTimersByTime(1_000)
  expect(heardAt).toEqual([0, 50, 100, 150])
  call()
  expect(heardAt).toHaveLength(5)
})

test('what waits when it is closed is not run', () => {
  let runs = 0
  const line = atMostEvery(50, () => {
    runs += 1
  })
  line.call()
  line.call()
  line[Symbol.dispose]()
  vi.advanceTimersByTime(1_000)
  expect(runs).toBe(1)
})
