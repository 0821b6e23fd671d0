import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchEventLoop } from '../src/loop-watch.ts'

test('a loop that is held up again and again shows how late it is, and recovers', async () => {
  using watch = watchEventLoop()
  const until = performance.now() + 5_000
  while (performance.now() < until) {
    const held = performance.now() + 150
    while (performance.now() < held) continue
    await sleep(1)
  }
  expect(watch.delayMs()).toBeGreaterThan(50)
  expect(watch.lastingMs()).toBeGreaterThan(50)
  const late = watch.delayMs()
  await expect.poll(() => watch.delayMs()).toBeLessThan(late / 2)
})

test('one long stall is over when it is seen', async () => {
  using watch = watchEventLoop()
  await sleep(50)
  const held = performance.now() + 1_500
  while (performance.now() < held) continue
  await sleep(1_100)
  expect(watch.lastingMs()).toBeLessThan(1_000)
})
