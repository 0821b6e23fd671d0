import { WebSocket, type RawData } from 'ws'
import type { Connection } from './connection.ts'
import type { Wire } from './outbound.ts'

/** A socket and what is said over it. */
export type OpenSocket = { readonly socket: WebSocket; readonly connection: Connection; heardAt: number }

const farewellMs = 1_000

export function wireOf(socket: WebSocket): Wire & { close(code: number, reason: string): void } {
  return {
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    send: (data, done) => {
      socket.send(data, { binary: false }, done)
    },
    close: (code, reason) => {
      bidFarewell(socket, code, reason)
    },
  }
}

/** Hands what comes in to the connection; `onEnd` is called once. */
export function attach(open: OpenSocket, onEnd: () => void): void {
  const { socket, connection } = open
  const heard = (): boolean => {
    open.heardAt = performance.now()
    return connection.count()
  }
  socket.on('message', (data, isBinary) => {
    if (heard()) connection.receive(isBinary ? undefined : textOf(data))
  })
  socket.on('ping', heard)
  socket.on('pong', heard)
  socket.on('error', () => {
    bidFarewell(socket, 1002, '')
  }) // oversized, not UTF-8, or broken: ws has said which
  socket.once('close', () => {
    connection.end()
    onEnd()
  })
}

/** Whoever does not answer the farewell is left. */
export function bidFarewell(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.close(code, reason)
  const limit = setTimeout(() => {
    socket.terminate()
  }, farewellMs)
  socket.once('close', () => {
    clearTimeout(limit)
  })
}

/** Looks after a socket that is open: the dead are left, the rest pinged and asked whether they may stay. */
export function lookAfter(
  { socket, connection, heardAt }: OpenSocket,
  deadMs: number,
  onFault: (error: unknown) => void,
): void {
  if (performance.now() - heardAt >= deadMs) socket.terminate()
  if (socket.readyState !== WebSocket.OPEN) return
  socket.ping()
  connection.ping()
  connection.recheck().catch(onFault)
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString()
    : Array.isArray(data)
      ? Buffer.concat(data).toString()
      : Buffer.from(data).toString()
}
