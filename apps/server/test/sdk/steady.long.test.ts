import { setTimeout as pause } from 'node:timers/promises'
import { leftBehind } from '@ergon/dev-env/testing'
import type { Client } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'

/**
 * Decision 0303: what is left of a connection once it is over, on both of its sides, which share this heap. A listener,
 * a timer or a room that is forgotten holds the whole of one.
 */
const mostBytes = 9_000

let market: LineToMarket
let client: Client
beforeAll(async () => {
  market = await startLineToMarket({ SVC_RATE_ANON_PER_MIN: '0', SVC_RATE_WALLET_PER_MIN: '0' })
  client = market.client()
  await client.workers.register({ name: 'Who stays for long' })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

/** As an agent has one: it is aborted when the agent ends. */
const lifelong = new AbortController()
const units: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'live events that are closed'() {
    const live = await client.connectEvents({ signal: lifelong.signal })
    await live.subscribe('global')
    live.close()
  },
  async 'streams of events that are left'() {
    const leaving = new AbortController()
    const reading = client.events({ signal: AbortSignal.any([leaving.signal, lifelong.signal]) }).next()
    await pause(50)
    leaving.abort()
    await reading.catch(() => undefined)
  },
  async 'calls that are answered, and calls that are refused'() {
    await client.tasks.available({ limit: 1 }, { signal: lifelong.signal })
    await client.tasks
      .get({ task_id: '01890000-0000-7000-8000-000000000001' }, { signal: lifelong.signal })
      .catch(() => undefined)
  },
}

test.each(Object.entries(units))(
  '%s leave nothing behind',
  async (_what, unit) => {
    const left = await leftBehind({ times: 80, restMs: 1_000 }, unit)
    expect(left).toBeLessThan(mostBytes)
  },
  300_000,
)
