import { operations, type Operation } from '@ergon/contract'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEventHandlers } from '../../src/api/events.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import type { Dispatch } from '../../src/dispatch/dispatch.ts'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { createRest } from '../../src/transports/rest.ts'
import { eventually } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { openSocket } from '../http/live-socket.ts'
import { startTinySockets } from './tiny-sockets.ts'

/** Opens and cuts in many ways: before, while and after the service thinks about it. */
async function cut(url: string, request: string, times: number, atOnce: number): Promise<void> {
  const { hostname, port } = new URL(url)
  let left = times
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const socket = connect(Number(port), hostname)
      await new Promise<void>((resolve) => {
        socket
          .once('error', () => undefined)
          .once('close', () => {
            resolve()
          })
        socket.once('connect', () => {
          socket.write(request, () => {
            void leave(socket, left % 4)
          })
        })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function leave(socket: Socket, way: number): Promise<void> {
  if (way > 1) await sleep(way - 1)
  if (way === 0) socket.destroy()
  else socket.resetAndDestroy()
}

test('twelve thousand sockets that are cut, most of them while their session is looked up, keep no seat', async () => {
  const places = 40
  const session = {
    sid: 'one',
    wallet: `0x${'ab'.repeat(20)}`,
    chainId: 31_337,
    proof: 'key' as const,
    expiresAt: new Date(Date.now() + 600_000),
  }
  await using tiny = await startTinySockets(
    { connections: places, connectionsPerAddress: places, strangersEach: places, connectionsEach: places },
    {},
    () => sleep(1, session),
  )
  const upgrade = `GET /ws HTTP/1.1\r\nhost: ${authority}\r\norigin: http://${authority}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
  await cut(tiny.url, upgrade, 12_000, 20)
  using held = new DisposableStack()
  await eventually(
    async () => {
      const opened = await openSocket(tiny.url).catch(() => undefined)
      if (opened !== undefined) held.use(opened)
      return tiny.sockets.stats().connections
    },
    (count) => count === places,
  )
  await expect(openSocket(tiny.url)).rejects.toThrow('503')
})

test('one address holds its share of the sockets and no more, whatever wallets it has', async () => {
  let wallets = 0
  await using tiny = await startTinySockets({ connectionsPerAddress: 3 }, {}, () => ({
    sid: 'one',
    wallet: `0x${String((wallets += 1)).padStart(40, '0')}`,
    chainId: 31_337,
    proof: 'key' as const,
    expiresAt: new Date(Date.now() + 600_000),
  }))
  const headers = { origin: `http://${authority}` }
  using _one = await openSocket(tiny.url, headers)
  using _two = await openSocket(tiny.url, headers)
  using _three = await openSocket(tiny.url, headers)
  await expect(openSocket(tiny.url, headers)).rejects.toThrow('429')
})

test('eight thousand event streams that are cut, most of them before they begin, keep no place', async () => {
  await using service = await startEvents()
  const request = `GET /api/v1/events/stream?scope=public HTTP/1.1\r\nhost: ${authority}\r\n\r\n`
  await cut(service.url, request, 8_000, 4)
  const open: Response[] = []
  await eventually(
    async () => {
      const answer = await fetch(`${service.url}/api/v1/events/stream?scope=public`)
      if (answer.status === 200) open.push(answer)
      else await answer.text()
      return open.length
    },
    (count) => count === 5,
  )
  expect((await fetch(`${service.url}/api/v1/events/stream?scope=public`)).status).toBe(429)
  for (const answer of open) await answer.body?.cancel()
})

/** The real handler and transport of the event stream over a market in which nothing happens. */
async function startEvents(): Promise<AsyncDisposable & { readonly url: string }> {
  const stopped = new AbortController()
  const market = {
    events: () => sleep(1, { events: [], place: '1.0', hasMore: false }),
    eventHorizon: () => Promise.resolve('1.0'),
  }
  const deps = {
    market,
    taps: {
      open: () => ({
        next: (_after: string, ms: number) => sleep(ms, [], { signal: stopped.signal }).catch(() => []),
        [Symbol.dispose]: () => undefined,
      }),
    },
    live: { isBanned: () => stopped.signal.aborted },
  } as unknown as ApiDeps // what these two handlers ask
  const { 'events.stream': stream } = createEventHandlers(deps)
  const dispatch: Dispatch = async (plan, handler, request, path) => {
    try {
      const { body } = await handler(
        { caller: { kind: 'anonymous' }, request, exact: () => undefined },
        plan.gather(request, path).input,
      )
      return { status: 200, body, headers: {}, code: null, wallet: null, caller: null }
    } catch (error) {
      const { status, body, code } = errorAnswer(error, request.requestId)
      return { status, body, headers: {}, code, wallet: null, caller: null }
    }
  }
  const contract: Readonly<Record<string, Operation>> = { 'events.stream': operations['events.stream'] }
  const server = createRest({
    operations: contract,
    handlers: { 'events.stream': stream as unknown as AnyHandler },
    dispatch,
    plan: createPlanner(),
    publicUrl: undefined,
    version: '0',
    authorities: [authority],
    trustedProxies: [],
    nextRequestId: () => 'id',
  }) // dispatch above gives it its own input
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      server.server.closeAllConnections()
      await server.close()
    },
  }
}
