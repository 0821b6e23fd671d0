import { expect, test } from 'vitest'
import type { Context } from '../src/http/context.ts'
import { createHandle } from '../src/http/handle.ts'
import { platform } from '../src/surroundings/platform.ts'

test('health counts the gas of the day once a second, however many ask', async () => {
  let [now, counts] = [0, 0]
  const silent = (): void => undefined
  const count = { today: () => Promise.resolve({ spent: (counts += 1) }) }
  const context = {
    networks: { all: [], silent: [] },
    account: '0x',
    blacklist: [],
    limits: {},
    lifecycle: { mode: 'enforce', delegates: [] },
    log: { warn: silent, error: silent },
    surroundings: { ...platform, monotonic: () => now },
    now: () => 0,
    loop: { delayMs: () => 0, lastingMs: () => 0 },
    database: { silentMs: () => 0, refusedMs: () => 0 },
    shedAboveMs: 0,
    gas: count,
  } as unknown as Context // what this route asks
  const handle = createHandle(context, silent)
  const ask = async (): Promise<unknown> => {
    const { body } = await handle({ method: 'GET', path: '/health', headers: {}, body: new Uint8Array() })
    return (JSON.parse(body) as { readonly gas: { readonly spent: number } }).gas.spent // what it answers
  }
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  now = 999
  expect(await ask()).toBe(1)
  now = 1_000
  expect(await ask()).toBe(2)
})
