import { expect, test } from 'vitest'
import { endsWithin } from '../src/ends-within.ts'

const owner = (end: () => Promise<void>): AsyncDisposable => ({ [Symbol.asyncDispose]: end })
const never = (): Promise<void> => new Promise(() => undefined)

test('what ends in time did, and what does not is waited for no longer', async () => {
  expect(
    await endsWithin(
      60_000,
      owner(() => Promise.resolve()),
    ),
  ).toBe(true)
  const before = performance.now()
  expect(await endsWithin(20, owner(never))).toBe(false)
  expect(performance.now() - before).toBeLessThan(5_000)
})

test('what cannot end says why, and after the time nobody is told', async () => {
  const fails = owner(() => Promise.reject(new Error('stuck')))
  await expect(endsWithin(60_000, fails)).rejects.toThrow('stuck')
  const { promise, reject } = Promise.withResolvers<void>()
  expect(
    await endsWithin(
      1,
      owner(() => promise),
    ),
  ).toBe(false)
  reject(new Error('too late to matter'))
})

test('leaves no timer behind', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await endsWithin(
    60_000,
    owner(() => Promise.resolve()),
  )
  expect(timers()).toBe(before)
})
