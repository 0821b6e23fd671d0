import { expect, test } from 'vitest'
import { watchAnswers } from '../src/index.ts'

test('silence is counted from the last answer, and what is asked is asked once at a time', async () => {
  let [asked, told] = [0, 0]
  let answer: () => Promise<unknown> = () => Promise.resolve()
  const ask = (): Promise<unknown> => {
    asked += 1
    return answer()
  }
  using watch = watchAnswers(ask, { everyMs: 5, onSilence: () => (told += 1) })
  await watch.begun
  await expect.poll(() => asked, { interval: 5 }).toBeGreaterThan(2)
  expect([told, watch.silentMs() < 1_000]).toEqual([0, true])

  const { promise: never, reject } = Promise.withResolvers<never>()
  answer = () => never
  await expect.poll(() => watch.silentMs(), { interval: 5 }).toBeGreaterThan(200)
  const waiting = asked
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([asked, told]).toEqual([waiting, 0])

  answer = () => Promise.reject(new Error('away'))
  reject(new Error('lost'))
  await expect.poll(() => told, { interval: 5 }).toBeGreaterThan(2)
  expect(watch.silentMs()).toBeGreaterThan(200)
  answer = () => Promise.resolve()
  await expect.poll(() => watch.silentMs(), { interval: 5 }).toBeLessThan(100)
})

test('it has begun also where nobody answers, and asks no more when it is over', async () => {
  let asked = 0
  const watch = watchAnswers(() => Promise.reject(new Error(String((asked += 1)))), { everyMs: 5 })
  await watch.begun
  watch[Symbol.dispose]()
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toBe(before)
})
