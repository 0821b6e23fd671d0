import { createBuckets } from '@ergon/process'
import { expect, test } from 'vitest'
import type { Context } from '../src/http/context.ts'
import { createHandle } from '../src/http/handle.ts'
import { createHttpServer } from '../src/http/server.ts'
import { platform } from '../src/surroundings/platform.ts'

test('all addresses of an IPv6 network have one limit together, and those of another have theirs', async () => {
  const silent = (): void => undefined
  const log = { info: silent, warn: silent, error: silent }
  const context = {
    networks: { all: [] },
    account: '0x',
    blacklist: [],
    lifecycle: { mode: 'enforce', delegates: [] },
    limits: { payments: createBuckets({ burst: 2, perSecond: 0.001 }, () => 0) },
    log,
    surroundings: platform,
    now: () => 0,
    loop: { lastingMs: () => 0 },
    shedAboveMs: 0,
  } as unknown as Context // what this route asks
  await using server = createHttpServer(createHandle(context, silent), log)
  const ask = async (remoteAddress: string): Promise<number> => {
    const answer = await server.inject({ method: 'POST', url: '/accepts', payload: '{"accepts":[]}', remoteAddress })
    return answer.statusCode
  }
  expect([await ask('2001:db8:1:2::1'), await ask('2001:db8:1:2::2')]).toEqual([200, 200])
  expect(await ask('2001:db8:1:2:ffff::3')).toBe(429)
  expect([await ask('2001:db8:1:3::1'), await ask('::ffff:192.0.2.1')]).toEqual([200, 200])
})
