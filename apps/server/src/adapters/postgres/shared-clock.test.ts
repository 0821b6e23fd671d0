import { expect, test } from 'vitest'
import { createSharedClock } from './shared-clock.ts'

function clocks() {
  const time = { machine: 1_000_000, monotonic: 500 }
  const shared = createSharedClock(
    () => time.machine,
    () => time.monotonic,
  )
  return {
    time,
    shared,
    /** The database is asked and answers so much later; what it has is right in the middle of the two. */
    ask(databaseMs: number, tookMs: number) {
      shared.saw({ beganAt: time.monotonic - tookMs, answeredAt: time.monotonic, nowMs: databaseMs - tookMs / 2 })
    },
  }
}

test('until the database was read the machine is believed', () => {
  const { shared } = clocks()
  expect([shared.now().getTime(), shared.aheadMs()]).toEqual([1_000_000, null])
})

test('a machine ten minutes fast has the time of the database', () => {
  const { shared, time, ask } = clocks()
  ask(400_000, 2)
  expect([shared.now().getTime(), shared.aheadMs()]).toEqual([400_000, 600_000])
  time.monotonic += 1_500
  time.machine += 1_500
  expect(shared.now().getTime()).toBe(401_500)
})

test('what is done to the clock of the machine moves nothing', () => {
  const { shared, time, ask } = clocks()
  ask(1_000_000, 2)
  time.machine -= 86_400_000
  expect([shared.now().getTime(), shared.aheadMs()]).toEqual([1_000_000, -86_400_000])
})

test('of readings that agree the quickest counts', () => {
  const { shared, ask } = clocks()
  ask(1_000_000, 2)
  shared.saw({ beganAt: 0, answeredAt: 500, nowMs: 999_990 })
  expect(shared.now().getTime()).toBe(1_000_000)
})

test('a database whose clock was set is followed at once', () => {
  const { shared, ask } = clocks()
  ask(1_000_000, 2)
  ask(1_090_000, 30)
  expect(shared.now().getTime()).toBe(1_090_000)
})
