import { hexToBytes } from '@ergon/protocols'
import { expect, test } from 'vitest'
import type { Config } from '../src/config/config.ts'
import { sayAnswer } from '../src/http/say-answer.ts'
import { createService } from '../src/service.ts'
import { platform } from '../src/surroundings/platform.ts'
import { createMemoryDatabase } from '../src/testing/memory-store.ts'
import { facilitator } from '../src/testing/payments.ts'

type Line = Readonly<Record<string, unknown>>

function openBook() {
  const [orders, reads]: [Line[], Line[]] = [[], []]
  const into = (lines: Line[]) => (fields: object, message: string) => void lines.push({ ...fields, message })
  return { orders, reads, log: { info: into(orders), debug: into(reads), warn: into([]), error: into([]) } }
}

function open(log: ReturnType<typeof openBook>['log'], rateLimit?: Config['rateLimit']) {
  const database = createMemoryDatabase(() => Date.now())
  return createService({
    config: {
      orderDelegates: [],
      lifecycleMode: 'enforce',
      blacklist: [],
      rateLimit,
      settleWaitMs: 1_000,
      minesOnDemand: false,
    },
    secrets: { privateKey: hexToBytes(facilitator.privateKey), adminToken: undefined },
    surroundings: platform,
    networks: [],
    intents: database.intents,
    registrations: database.registrations,
    lease: { epoch: database.raise(facilitator.address), lost: () => undefined },
    log,
  })
}
const headers = { 'content-type': 'application/json' }
const body = new TextEncoder().encode('{"x402Version":2,"scheme":"escrow","action":"release"}')

test('each order leaves a line that says how it was answered, and a question of health leaves none', async () => {
  const { orders, reads, log } = openBook()
  await using service = await open(log)
  const { status } = await service.handle({ method: 'POST', path: '/settle?a=b', headers, body })
  await service.handle({ method: 'GET', path: '/health', headers, body: new Uint8Array() })
  await service.handle({ method: 'POST', path: '/of/a/stranger', headers, body })
  expect(orders).toEqual([
    {
      method: 'POST',
      path: '/settle',
      status,
      ms: expect.any(Number) as number,
      errorReason: expect.any(String) as string,
      errorCode: 'MissingField',
      message: 'request',
    },
  ])
  expect(reads).toMatchObject([{ method: 'GET', path: '/health', status: 200 }])
})

test('whoever is turned away unread fills no log', async () => {
  const { orders, reads, log } = openBook()
  const limit = { burst: 1, perSecond: 0.001 }
  await using service = await open(log, { payments: limit, identity: limit })
  const ask = async () => (await service.handle({ method: 'POST', path: '/settle', headers, body, from: 'a' })).status
  const [first, ...others] = [await ask(), await ask(), await ask()]
  expect([first === 429, others]).toEqual([false, [429, 429]])
  expect([orders.length, reads]).toEqual([1, []])
})

test('what anybody signed is not told, and a long reason is cut', () => {
  const { orders, log } = openBook()
  const body = { success: false, network: 'base', errorReason: 'r'.repeat(1_000), signature: '0x12', payload: {} }
  sayAnswer(log, { method: 'POST', path: '/settle', ms: 1.4 }, { status: 400, body })
  expect(orders).toEqual([
    {
      method: 'POST',
      path: '/settle',
      status: 400,
      ms: 1,
      network: 'base',
      errorReason: 'r'.repeat(300),
      message: 'request',
    },
  ])
})
