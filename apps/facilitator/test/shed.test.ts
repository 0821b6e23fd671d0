import { expect, test } from 'vitest'
import type { Context } from '../src/http/context.ts'
import { createHandle } from '../src/http/handle.ts'
import { platform } from '../src/surroundings/platform.ts'

test('a facilitator whose event loop is late puts off questions, takes orders and says how late it is', async () => {
  let delay = 2_000
  const silent = (): void => undefined
  const context = {
    networks: { all: [], silent: [] },
    account: '0x',
    blacklist: [],
    limits: {},
    lifecycle: { mode: 'enforce', delegates: [] },
    log: { warn: silent, error: silent },
    surroundings: platform,
    now: () => 0,
    loop: { delayMs: () => delay, lastingMs: () => delay },
    database: { silentMs: () => 0, refusedMs: () => 0 },
    shedAboveMs: 1_000,
  } as unknown as Context // what these routes ask
  const handle = createHandle(context, silent)
  const ask = async (method: string, path: string) => {
    const { status, headers, body } = await handle({
      method,
      path,
      headers: {},
      body: new TextEncoder().encode('{"accepts":[]}'),
    })
    return { status, wait: headers['retry-after'], body: JSON.parse(body) as unknown }
  }
  expect(await ask('POST', '/accepts?x=1')).toMatchObject({ status: 503, wait: '2', body: { error: 'service_busy' } })
  expect(await ask('POST', '/verify')).toMatchObject({ status: 503 })
  expect((await ask('POST', '/settle')).status).not.toBe(503)
  expect(await ask('GET', '/health')).toMatchObject({
    status: 200,
    body: { status: 'healthy', event_loop_delay_ms: 2_000 },
  })
  delay = 0
  expect(await ask('POST', '/accepts')).toMatchObject({ status: 200 })
})
