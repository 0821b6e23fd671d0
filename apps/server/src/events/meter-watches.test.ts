import type { Channel } from '@ergon/core'
import { expect, test, vi } from 'vitest'
import { createMeterWatches } from './meter-watches.ts'

const channel = (taskId: string, cumulative: bigint): Channel => ({
  id: `channel of ${taskId}`,
  taskId,
  executorId: 'executor',
  asset: { symbol: 'USDC', network: 'solana', decimals: 6 },
  payer: 'buyer',
  payee: 'operator',
  worker: 'worker',
  voucherSigner: 'operator',
  voucherKey: null,
  status: 'open',
  unit: 'scan',
  price: 1n,
  limit: 1_000n,
  deposit: 1_000n,
  measured: cumulative,
  cumulative,
  measuredUntil: new Date(0),
  vouchers: Number(cumulative),
  signature: null,
  boundAt: new Date(0),
  updatedAt: new Date(0),
  closing: null,
  paid: null,
  end: null,
})

/** A store that counts how often it is asked. */
function rig(times: { readonly intervalMs?: number; readonly quietMs?: number } = {}) {
  const held = new Map<string, Channel>()
  const asked: string[][] = []
  const faults: unknown[] = []
  const state = { isDown: false }
  const watches = createMeterWatches({
    read: (taskIds) => {
      asked.push([...taskIds])
      if (state.isDown) return Promise.reject(new Error('down'))
      return Promise.resolve(taskIds.flatMap((taskId) => held.get(taskId) ?? []))
    },
    onError: (error) => {
      faults.push(error)
    },
    gapMs: 20,
    intervalMs: 60_000,
    ...times,
  })
  return { held, asked, faults, state, watches }
}

test('a thousand listeners of one meter cost one read a change, and all are told the same object', async () => {
  const { held, asked, watches } = rig()
  await using _all = watches
  const all = Array.from({ length: 1_000 }, () => watches.open('a', null))
  const first = await Promise.all(all.map((one) => one.next(-1)))
  expect(new Set(first).size).toBe(1)
  held.set('a', channel('a', 1n))
  const waiting = all.map((one) => one.next(0))
  watches.poke()
  const told = new Set(await Promise.all(waiting))
  expect([...told]).toEqual([{ channel: channel('a', 1n), version: 1 }])
  expect(asked.length).toBeLessThanOrEqual(2)
})

test('many pokes of one moment are one read, and each meter hears of its own change alone', async () => {
  const { held, asked, watches } = rig()
  await using _all = watches
  const [one, other] = [watches.open('a', channel('a', 1n)), watches.open('b', channel('b', 1n))]
  held.set('a', channel('a', 2n)).set('b', channel('b', 1n))
  const heard = vi.fn()
  void other.next(0).then(heard)
  for (let count = 0; count < 100; count += 1) watches.poke()
  expect(await one.next(0)).toMatchObject({ channel: { cumulative: 2n } })
  expect(heard).not.toHaveBeenCalled()
  expect(asked.length).toBeLessThanOrEqual(3)
})

test('nothing is read while nobody watches, and nothing after the last one left', async () => {
  const { asked, watches } = rig({ intervalMs: 5 })
  await using _all = watches
  watches.poke()
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(asked).toEqual([])
  const one = watches.open('a', null)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  one[Symbol.dispose]()
  await new Promise((resolve) => setTimeout(resolve, 40))
  const count = asked.length
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(asked.length).toBe(count)
})

test('a change that nobody told of is found by looking, also after the database was away', async () => {
  const { held, faults, state, watches } = rig({ intervalMs: 10 })
  await using _all = watches
  using one = watches.open('a', null)
  state.isDown = true
  await expect.poll(() => faults.length).toBeGreaterThan(0)
  state.isDown = false
  held.set('a', channel('a', 1n))
  expect(await one.next(0)).toMatchObject({ version: 1 })
})

test('who waits hears that it is quiet, and that the process ends', async () => {
  const { watches } = rig({ quietMs: 20 })
  using one = watches.open('a', null)
  expect(await one.next(0)).toBe('quiet')
  const waiting = one.next(0)
  await watches[Symbol.asyncDispose]()
  expect(await waiting).toBe('over')
  expect(await one.next(0)).toBe('over')
})
