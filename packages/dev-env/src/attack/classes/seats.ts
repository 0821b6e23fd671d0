import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress } from '../caller.ts'
import { ask } from '../ask.ts'
import type { Target } from '../target.ts'
import { becomes, inWaves } from '../waves.ts'

const cutSockets = 2_000
const cutStreams = 1_000
const greedySockets = 120
const greedyStreams = 55
/** What one address may hold: sockets that did not say who they are, and streams of one caller. */
const shares = { sockets: 50, streams: 5 } as const
const socketPath = '/ws'
const streamPath = '/api/v1/events/stream?scope=public'

/** Sockets and event streams that are cut before they begin, and one address that takes all it can get. */
export const seats: AttackClass = {
  name: 'seats',
  on: 'any',
  goesOn: true,
  held: 'SVC_WS_CONNECTIONS in all, 100 an address (50 unproven), streams 50 an address; a seat ends with its connection',
  async attack(target) {
    const tally = createTally()
    await inWaves(cutSockets, 20, (index) => cut(target, upgradeOf(target), index))
    tally.many(
      'a seat of a socket that was cut is kept',
      cutSockets,
      (await becomes(async () => (await held(target)) === 0, 10_000)) ? 0 : await held(target),
    )
    await inWaves(cutStreams, 20, (index) => cut(target, streamOf(target), index))
    await pause(500)
    const opened: Socket[] = []
    try {
      const address = freshAddress()
      const sockets = await inWaves(greedySockets, 10, () => open(target, upgradeOf(target), address, opened))
      tally.many(
        'a socket beyond the share of an address',
        greedySockets - shares.sockets,
        sockets.filter((status) => status === 101).length - shares.sockets,
      )
      const streams = await inWaves(greedyStreams, 10, () => open(target, streamOf(target), address, opened))
      tally.many(
        'a stream beyond the share of a caller',
        greedyStreams - shares.streams,
        streams.filter((status) => status === 200).length - shares.streams,
      )
      // Everybody else finds a seat beside them; of streams each address gets what it may have, so none was kept.
      const others = await inWaves(8, 4, async () => {
        const other = freshAddress()
        const own = await inWaves(shares.streams, 1, () => open(target, streamOf(target), other, opened))
        return [
          (await open(target, upgradeOf(target), other, opened)) === 101,
          own.every((status) => status === 200),
        ] as const
      })
      tally.many('another address finds no socket', others.length, others.filter(([hasSocket]) => !hasSocket).length)
      tally.many(
        'a stream that was cut is kept',
        cutStreams,
        others.some(([, hasStreams]) => !hasStreams) ? cutStreams : 0,
      )
    } finally {
      for (const socket of opened) socket.destroy()
    }
    tally.attempt('the seats are not given back', await becomes(async () => (await held(target)) === 0, 10_000))
    return tally.score()
  },
}

const lines = (target: Target, path: string, more: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(target.url).host}\r\n${more}\r\n`
const upgradeOf = (target: Target): string =>
  lines(
    target,
    socketPath,
    'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  )
const streamOf = (target: Target): string => lines(target, streamPath, '')

/** Sockets that the service holds, by its own count. */
async function held({ url, adminKey }: Target): Promise<number> {
  const { body } = await ask(url, {
    method: 'GET',
    target: `${socketPath}/stats`,
    headers: { 'x-admin-key': adminKey },
  })
  return Number(body['connections'])
}

function dial({ url }: Target, from: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port), localAddress: from }).on('error', () => undefined)
}

/**
 * Leaves in many ways: at once, a moment later, politely and not. The addresses are many, since each may only ask so
 * often.
 */
async function cut(target: Target, request: string, index: number): Promise<void> {
  const socket = dial(target, `127.${String(64 + (process.pid % 128))}.200.${String(1 + (index % 100))}`)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve()
    })
  })
  socket.write(request, () => {
    const leave = (): void => {
      if (index % 4 === 0) socket.destroy()
      else socket.resetAndDestroy()
    }
    if (index % 4 > 1) setTimeout(leave, (index % 4) - 1)
    else leave()
  })
  await closed
}

/** Opens and keeps one; answers the status, or 0 when the other side said nothing. */
async function open(target: Target, request: string, from: string, opened: Socket[]): Promise<number> {
  const socket = dial(target, from)
  opened.push(socket)
  const { promise, resolve } = Promise.withResolvers<number>()
  socket
    .once('data', (data: Buffer) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1] ?? 0))
    })
    .once('close', () => {
      resolve(0)
    })
  socket.setTimeout(5_000, () => {
    resolve(0)
  })
  socket.write(request)
  return promise
}
