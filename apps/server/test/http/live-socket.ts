import { randomUUID } from 'node:crypto'
import { privateKeySigner, signAuthFrame, type AuthFrame, type Hex } from '@ergon/protocols'
import { WebSocket } from 'ws'
import { eventually } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'

export type Frame = {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly id: string
  readonly timestamp: string
  readonly cursor?: string
}

/** A client that keeps every frame it was sent. */
export type SocketClient = Disposable & {
  readonly socket: WebSocket
  readonly frames: readonly Frame[]
  send(type: string, payload?: Readonly<Record<string, unknown>>, id?: string): void
  /** The first frame that is so, waiting for it. */
  next(matches: (frame: Frame) => boolean): Promise<Frame>
  events(): readonly { readonly event: string; readonly taskId: unknown; readonly frame: Frame }[]
  /** Waits for an answer, so that everything sent before was taken. */
  settled(): Promise<void>
  closed(): Promise<{ readonly code: number; readonly reason: string }>
}

export async function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { host: authority, ...headers } })
  const frames: Frame[] = []
  // The service sends JSON objects alone; the assertions look at what is in them.
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame)
  })
  const closing = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() })
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(`answered ${String(response.statusCode)}`))
    })
  })
  socket.on('error', () => undefined)
  const client: SocketClient = {
    socket,
    frames,
    send: (type, payload = {}, id) => {
      socket.send(JSON.stringify({ type, payload, ...(id === undefined ? {} : { id }) }))
    },
    async next(matches) {
      const found = await eventually(
        () => Promise.resolve(frames.find(matches)),
        (frame) => frame !== undefined,
      )
      if (found === undefined) throw new Error(`no such frame among ${JSON.stringify(frames)}`)
      return found
    },
    events: () =>
      frames
        .filter(({ type }) => type === 'event')
        .map((frame) => {
          const { event, payload } = frame.payload as {
            readonly event: string
            readonly payload: Readonly<Record<string, unknown>>
          } // the double wrapping of spec §6
          return { event, taskId: payload['task_id'], frame }
        }),
    async settled() {
      const id = randomUUID()
      client.send('ping', {}, id)
      await client.next((frame) => frame.type === 'pong' && frame.id === id)
    },
    closed: () => closing,
    [Symbol.dispose]: () => {
      socket.terminate()
    },
  }
  return client
}

/** The auth frame of a wallet for the authority the tests sign for. */
export function authFrame(
  key: Hex,
  change: { readonly url?: string; readonly nonce?: string; readonly now?: number } = {},
): Promise<AuthFrame> {
  return signAuthFrame(change.url ?? `ws://${authority}/ws`, {
    signer: privateKeySigner(key),
    chainId: 31_337,
    now: change.now ?? Date.now() / 1000,
    nonce: change.nonce ?? randomUUID(),
  })
}

export async function authenticated(url: string, key: Hex, cursor?: string): Promise<SocketClient> {
  const client = await openSocket(url)
  const { payload } = await authFrame(key)
  client.send('auth', { ...payload, ...(cursor === undefined ? {} : { cursor }) })
  await client.next(({ type }) => type === 'auth_success')
  return client
}

export async function subscribed(client: SocketClient, room: string, cursor?: string): Promise<Frame> {
  const id = randomUUID()
  client.send('subscribe', { room, ...(cursor === undefined ? {} : { cursor }) }, id)
  return client.next((frame) => frame.id === id)
}
