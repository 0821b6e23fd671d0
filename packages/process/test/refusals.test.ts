import { expect, test } from 'vitest'
import { watchRefusals } from '../src/index.ts'

type Told = (error: unknown) => void

/** A pool of the driver, as far as it is watched: it takes a callback or answers a promise. */
function aPool() {
  let refusal: Error | undefined
  const [listeners, clock]: [(() => void)[], { now: number }] = [[], { now: 1_000 }]
  const pool = {
    on: (_event: 'connect', listener: () => void) => listeners.push(listener),
    connect(told?: Told): Promise<void> | undefined {
      if (refusal === undefined) for (const listener of listeners) listener()
      if (told === undefined) return refusal === undefined ? Promise.resolve() : Promise.reject(refusal)
      told(refusal)
      return undefined
    },
  }
  const refusals = watchRefusals(pool, () => clock.now)
  const ask = (how: 'callback' | 'promise'): Promise<unknown> =>
    how === 'promise'
      ? (pool.connect as () => Promise<unknown>)().catch((error: unknown) => error)
      : new Promise((resolve) => void (pool.connect as (told: Told) => void)(resolve))
  return {
    lasting: () => refusals.lastingMs(),
    async after(ms: number, answer: Error | undefined, how: 'callback' | 'promise' = 'callback') {
      clock.now += ms
      refusal = answer
      expect(await ask(how)).toBe(answer)
    },
    pass: (ms: number) => (clock.now += ms),
  }
}
const no = Object.assign(new Error('password authentication failed'), { code: '28P01' })

test.each(['callback', 'promise'] as const)('refusals last until one is taken in, asked by a %s', async (how) => {
  const pool = aPool()
  await pool.after(0, no, how)
  await pool.after(9_000, no, how)
  expect(pool.lasting()).toBe(9_000)
  await pool.after(1_000, undefined, how)
  expect(pool.lasting()).toBe(0)
})

test('nobody tries for a minute, and nothing is known; a pool that has none free is no refusal', async () => {
  const pool = aPool()
  await pool.after(0, new Error('timeout exceeded when trying to connect'))
  pool.pass(9_000)
  expect(pool.lasting()).toBe(0)
  await pool.after(0, no)
  pool.pass(60_000)
  expect(pool.lasting()).toBe(60_000)
  pool.pass(1)
  expect(pool.lasting()).toBe(0)
})
