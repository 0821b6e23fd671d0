import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createSharedRuns, type SharedRunsOptions } from '../src/shared-runs.ts'

const terms = { most: 10, mostWaiting: 10, refuse: () => new Error('too many wait') }

/** Runs that end when they are told to; each answers with what was asked, doubled. */
function rig(options: Partial<SharedRunsOptions> = {}) {
  const runs: { readonly asked: readonly number[]; readonly end: (error?: Error) => void }[] = []
  const ask = createSharedRuns<number, number>(
    (asked) =>
      new Promise((resolve, reject) => {
        runs.push({
          asked,
          end: (error) => {
            if (error === undefined) resolve(asked.map((one) => one * 2))
            else reject(error)
          },
        })
      }),
    { ...terms, ...options },
  )
  return { runs, ask }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('whoever asks while others are answered shares the next run, and each is given its own answer', async () => {
  const { runs, ask } = rig()
  const first = ask(1)
  await turn()
  const [second, third] = [ask(2), ask(3)]
  await turn()
  expect(runs.map(({ asked }) => asked)).toEqual([[1]])
  runs[0]?.end()
  expect(await first).toBe(2)
  await turn()
  expect(runs.map(({ asked }) => asked)).toEqual([[1], [2, 3]])
  runs[1]?.end()
  expect(await Promise.all([second, third])).toEqual([4, 6])
})

test('more than may share a run share two', async () => {
  const { runs, ask } = rig({ most: 2 })
  const all = Promise.all([1, 2, 3].map(ask))
  await turn()
  runs[0]?.end()
  await turn()
  runs[1]?.end()
  expect(await all).toEqual([2, 4, 6])
  expect(runs.map(({ asked }) => asked.length)).toEqual([2, 1])
})

test('a failure that one of them may have caused leaves each to itself', async () => {
  const asked: (readonly number[])[] = []
  const ask = createSharedRuns<number, number>(
    async (batch) => {
      asked.push(batch)
      if (batch.includes(2)) throw new Error('two is refused')
      return batch
    },
    { ...terms, isOfOne: () => true },
  )
  const ends = await Promise.allSettled([1, 2, 3].map(ask))
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'refused'))).toEqual([1, 'refused', 3])
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3]])
})

test('any other failure is told to all who shared it, and the next run is not touched by it', async () => {
  const { runs, ask } = rig({ isOfOne: ({ message }: Error) => message === 'yours' } as Partial<SharedRunsOptions>)
  const ends = Promise.allSettled([ask(1), ask(2)])
  await turn()
  runs[0]?.end(new Error('the line is gone'))
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = ask(3)
  await turn()
  expect(runs.length).toBe(2)
  runs[1]?.end()
  expect(await next).toBe(6)
})

test('too many who wait are refused, and those before them are answered', async () => {
  const { runs, ask } = rig({ mostWaiting: 1 })
  const first = ask(1)
  await expect(ask(2)).rejects.toThrow('too many wait')
  await turn()
  runs[0]?.end()
  expect(await first).toBe(2)
})

test('a run that takes long is passed by others only where that is wanted', async () => {
  const began: number[] = []
  for (const patienceMs of [20, null]) {
    const { runs, ask } = rig({ patienceMs })
    void ask(1)
    await turn()
    void ask(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    began.push(runs.length)
    for (const { end } of runs) end()
  }
  expect(began).toEqual([2, 1])
})

test('a run knows nothing of the request that started it, and each goes on in its own', async () => {
  const request = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const ask = createSharedRuns<number, number>(async (asked) => {
    seen.push(request.getStore())
    return asked
  }, terms)
  const after = await Promise.all(
    ['a', 'b'].map((name) =>
      request.run(name, async () => {
        await ask(1)
        return request.getStore()
      }),
    ),
  )
  expect(seen).toEqual([undefined])
  expect(after).toEqual(['a', 'b'])
})

test('one who is told early goes on, and what happens to the others afterwards is theirs alone', async () => {
  const asked: (readonly number[])[] = []
  const told = Promise.withResolvers<undefined>()
  const ask = createSharedRuns<number, number>(
    async (batch, tell) => {
      asked.push(batch)
      if (batch.length === 1) return batch
      tell(0, 10)
      await told.promise
      throw new Error('the line is lost')
    },
    { ...terms, isOfOne: () => true },
  )
  const [first, second, third] = [ask(1), ask(2), ask(3)]
  expect(await first).toBe(10)
  told.resolve(undefined)
  expect(await Promise.all([second, third])).toEqual([2, 3])
  expect(asked).toEqual([[1, 2, 3], [2], [3]])
})

test('who is told early is not told again, and whoever was not is answered at the end', async () => {
  const ask = createSharedRuns<number, string>((batch, tell) => {
    tell(1, 'early')
    return Promise.resolve(batch.map(() => 'at the end'))
  }, terms)
  expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual(['at the end', 'early', 'at the end'])
})
