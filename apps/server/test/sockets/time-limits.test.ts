import { generatePrivateKey } from '@ergon/protocols'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '../../src/sessions/sessions.ts'
import { eventually } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { authenticated, openSocket, subscribed } from '../http/live-socket.ts'
import { anEvent, startTinySockets } from './tiny-sockets.ts'

test('whoever does not authenticate in time is closed', async () => {
  await using tiny = await startTinySockets({ authMs: 1_500 })
  using client = await openSocket(tiny.url)
  using known = await authenticated(tiny.url, generatePrivateKey())
  expect(await client.closed()).toMatchObject({ code: 1008 })
  await known.settled()
})

test('everybody is pinged, and whoever is silent too long is left', async () => {
  await using tiny = await startTinySockets({ pingMs: 50, deadMs: 1_500 })
  using client = await authenticated(tiny.url, generatePrivateKey())
  using dead = await openSocket(tiny.url)
  await client.next(({ type }) => type === 'ping')
  await dead.next(({ type }) => type === 'ping')
  // Reads and answers nothing any more, not even pings.
  dead.socket.pause()
  await eventually(
    () => Promise.resolve(tiny.sockets.stats().connections),
    (count) => count === 1,
  )
  expect(tiny.sockets.stats()).toMatchObject({ connections: 1, authenticated: 1 })
  await client.settled()
})

test('who signs out is shown out', async () => {
  let session: Session | null = {
    sid: 'one',
    wallet: `0x${'ab'.repeat(20)}`,
    chainId: 31_337,
    proof: 'key' as const,
    expiresAt: new Date(Date.now() + 60_000),
  }
  await using tiny = await startTinySockets({ pingMs: 30 }, {}, () => session)
  using client = await openSocket(tiny.url, { origin: `http://${authority}` })
  await client.next(({ type }) => type === 'auth_success')
  await client.next(({ type }) => type === 'ping')
  session = null
  expect(await client.closed()).toMatchObject({ code: 1008 })
})

test('whatever is sent, a frame or not, faults nothing', async () => {
  await using tiny = await startTinySockets({ frames: 1_000_000, strangersEach: 1_000 })
  using witness = await authenticated(tiny.url, generatePrivateKey())
  const types = fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'ping', 'pong', 'event', '__proto__')
  const frames = fc.record(
    {
      type: fc.oneof(types, fc.string()),
      payload: fc.oneof(
        fc.dictionary(
          fc.constantFrom('room', 'cursor', 'signature', 'signature-input', 'topics', '__proto__'),
          fc.jsonValue(),
        ),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        frames.map((frame) => JSON.stringify(frame)),
        fc.string(),
        fc.json(),
      ),
      async (text) => {
        witness.socket.send(JSON.stringify({ type: 'ping', payload: {} }))
        using client = await openSocket(tiny.url)
        client.socket.send(text)
        client.socket.close()
        await client.closed()
      },
    ),
    { numRuns: 150 },
  )
  await witness.settled()
  expect(tiny.faults).toEqual([])
})

test('a service that stops says so to everybody', async () => {
  const tiny = await startTinySockets()
  using one = await authenticated(tiny.url, generatePrivateKey())
  using other = await openSocket(tiny.url)
  await tiny[Symbol.asyncDispose]()
  expect([(await one.closed()).code, (await other.closed()).code]).toEqual([1001, 1001])
  expect(tiny.sockets.stats()).toEqual({ connections: 0, authenticated: 0, rooms: 0, wallets: 0 })
})

test('beyond the number of connections nobody is let in, and who leaves makes room', async () => {
  await using tiny = await startTinySockets({ connections: 2 })
  using _one = await openSocket(tiny.url)
  const other = await openSocket(tiny.url)
  await expect(openSocket(tiny.url)).rejects.toThrow('answered 503')
  other[Symbol.dispose]()
  await other.closed()
  const again = await eventually(
    () => openSocket(tiny.url).catch(() => undefined),
    (opened) => opened !== undefined,
  )
  expect(again).toBeDefined()
  again?.[Symbol.dispose]()
})

test('who cannot be told for certain begins again, and loses nothing unawares', async () => {
  await using tiny = await startTinySockets({}, { taskFacts: () => Promise.reject(new Error('the database is away')) })
  using client = await authenticated(tiny.url, generatePrivateKey())
  await subscribed(client, 'category:simple_action')
  tiny.sockets.publish(anEvent())
  expect(await client.closed()).toMatchObject({ code: 1013 })
  expect(tiny.faults).toHaveLength(1)
})

test('a reader that stalls is closed with 1013 and the others hear everything', async () => {
  await using tiny = await startTinySockets({ bufferedBytes: 64 * 1024 })
  const healthy = await Promise.all(Array.from({ length: 50 }, () => authenticated(tiny.url, generatePrivateKey())))
  using stalled = await authenticated(tiny.url, generatePrivateKey())
  await Promise.all([...healthy, stalled].map((client) => subscribed(client, 'global')))
  stalled.socket.pause()
  const rounds = 400
  const text = 'x'.repeat(20_000)
  const begun = performance.now()
  let slowest = 0
  for (let round = 1; round <= rounds && performance.now() - begun < 45_000; round += 1) {
    const event = anEvent({ data: { text } })
    const told = performance.now()
    tiny.sockets.publish(event)
    await Promise.all(healthy.map((client) => client.next(({ id }) => id === event.id)))
    slowest = Math.max(slowest, performance.now() - told)
    if (tiny.sockets.stats().connections === 50) break
  }
  expect(tiny.sockets.stats()).toMatchObject({ connections: 50, authenticated: 50 })
  expect(slowest).toBeLessThan(2_000)
  stalled.socket.resume()
  expect([1013, 1006]).toContain((await stalled.closed()).code)
  for (const client of healthy) client[Symbol.dispose]()
})
