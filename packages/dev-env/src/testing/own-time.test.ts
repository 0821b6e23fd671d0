import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownTime } from './own-time.ts'

/** As a machine that runs something else. */
function holdUp(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('what is waited for counts, and answers what it came to', async () => {
  const { value, ownMs } = await ownTime(() => pause(300, 'done'))
  expect(value).toBe('done')
  expect(ownMs).toBeGreaterThan(100)
})

test('what holds the whole thread up does not count, however often it does', async () => {
  const { ownMs } = await ownTime(async () => {
    for (let time = 0; time < 10; time += 1) {
      await pause(5)
      holdUp(100)
    }
  })
  expect(ownMs).toBeLessThan(500)
})
