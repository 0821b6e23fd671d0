import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLoop, type LoopOptions } from './loop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A loop whose first round is over, and when each of the later ones began. */
async function rested(options: Partial<LoopOptions>) {
  const run = options.run ?? (() => Promise.resolve(0))
  const begun: number[] = []
  let startedAt = 0
  const loop = createLoop({
    name: 'duty',
    intervalMs: 1_000,
    onError: () => undefined,
    ...options,
    run: () => {
      begun.push(performance.now() - startedAt)
      return run()
    },
  })
  onTestFinished(() => loop[Symbol.asyncDispose]())
  await vi.advanceTimersByTimeAsync(20)
  startedAt = performance.now()
  begun.length = 0
  return { loop, begun }
}

test('who is woken goes on at once, and one that has a gap not before it is over, however often it is woken', async () => {
  const [quick, gapped] = [await rested({}), await rested({ gapMs: 50 })]
  await vi.advanceTimersByTimeAsync(100)
  for (let ms = 0; ms < 120; ms += 1) {
    quick.loop.wake()
    gapped.loop.wake()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(quick.begun.length).toBeGreaterThan(100)
  const [first = 0, ...later] = gapped.begun
  expect(later.map((at) => at - first)).toEqual([50, 100])
})

test('a wake-up does not shorten the pause after a failure, not even one that comes while the round fails', async () => {
  let isWrong = false
  const { loop, begun } = await rested({
    run: async () => {
      if (!isWrong) return 0
      await new Promise((resolve) => setTimeout(resolve, 10))
      throw new Error('the database is away')
    },
  })
  isWrong = true
  loop.wake()
  for (let ms = 0; ms < 1_900; ms += 1) {
    await vi.advanceTimersByTimeAsync(1)
    loop.wake()
  }
  expect(begun).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(begun).toHaveLength(2)
})
