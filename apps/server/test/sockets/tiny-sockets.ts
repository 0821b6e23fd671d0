import type { RecordedEvent } from '@ergon/core'
import fastify from 'fastify'
import { createAuthenticate } from '../../src/dispatch/authenticate.ts'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import { addSockets, asksForSocket } from '../../src/transports/websocket/gateway.ts'
import {
  createSockets,
  socketLimits,
  type SocketLimits,
  type Sockets,
  type SocketsDeps,
} from '../../src/sockets/sockets.ts'
import type { Session } from '../../src/sessions/sessions.ts'
import { authority } from '../dispatch/tiny-service.ts'

export type TinySockets = AsyncDisposable & {
  readonly url: string
  readonly sockets: Sockets
  readonly faults: unknown[]
}

const emptyMarket: SocketsDeps['market'] = {
  taskFacts: (taskId) =>
    Promise.resolve({
      taskId,
      title: 'Photograph the gate',
      category: 'simple_action',
      publisherWallet: `0x${'99'.repeat(20)}`,
    }),
  taskMembers: (_taskId, wallets) => Promise.resolve(wallets),
  roomEvents: (_room, after) => Promise.resolve({ events: [], place: after, hasMore: false }),
  eventHorizon: () => Promise.resolve('1.0'),
}

/** The real sockets on a server of their own, with limits a test can wait for and a market that holds nothing. */
export async function startTinySockets(
  limits: Partial<SocketLimits> = {},
  market: Partial<SocketsDeps['market']> = {},
  session: () => Session | null | Promise<Session | null> = () => null,
  isBanned: SocketsDeps['isBanned'] = () => false,
): Promise<TinySockets> {
  const seen = new Set<string>()
  const faults: unknown[] = []
  const server = fastify({ http: { shouldUpgradeCallback: asksForSocket } })
  server.setErrorHandler((error, request, reply) => reply.code(errorAnswer(error, request.id).status).send())
  const accounts = { check: () => Promise.resolve() }
  const authenticate = createAuthenticate({
    policy: { authorities: [authority], chains: [31_337], maxValiditySec: 300, clockSkewSec: 30 },
    nonces: {
      consume: (key) => {
        const isNew = !seen.has(key)
        seen.add(key)
        return Promise.resolve(isNew)
      },
    },
    contracts: { isValidSignature: () => Promise.resolve(false) },
    mayAskContract: () => false,
    accounts,
    now: () => Date.now(),
  })
  const sockets = createSockets({
    market: { ...emptyMarket, ...market },
    authenticate,
    isBanned,
    onFault: (fault) => {
      faults.push(fault)
    },
    refused: { look: () => null, failed: () => undefined, proved: () => undefined },
    now: () => Date.now(),
    limits: { ...socketLimits, ...limits },
  })
  addSockets(server, {
    sockets,
    authorities: [authority],
    people: {
      sessions: { read: () => Promise.resolve(session()) },
      origins: { allows: (origin) => origin === `http://${authority}` },
    },
    accounts,
    demandAdmin: () => undefined,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, sockets, faults, [Symbol.asyncDispose]: () => server.close() }
}

let events = 0

export function anEvent(change: Partial<RecordedEvent> = {}): RecordedEvent {
  events += 1
  const taskId = '01950000-0000-7000-8000-000000000001'
  return {
    id: `01950000-0000-7000-9000-${String(events).padStart(12, '0')}`,
    type: 'task.created',
    taskId,
    at: new Date(),
    data: { task_id: taskId },
    place: `1.${events.toString(36)}`,
    wallets: [],
    ...change,
  }
}
