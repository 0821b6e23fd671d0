import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line that can fail as lines do. */
export type TcpProxy = AsyncDisposable & {
  readonly port: number
  /** Carries everything. */
  open(): Promise<void>
  /** Refuses connections and cuts those that stand. */
  close(): Promise<void>
  /** Carries questions and loses the answers. */
  mute(): void
  /** Carries questions at once and answers this much later. */
  slow(delayMs: number): void
}

/** Stands before a service on this machine, on a port that stays the same however often it fails. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let muted = false
  let delayMs = 0
  let server: Server | undefined
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => { sockets.delete(socket) })
    return socket
  }
  const carry = (client: Socket): void => {
    const upstream = track(connect(targetPort, '127.0.0.1'))
    track(client).pipe(upstream)
    upstream.on('data', (chunk) => {
      if (muted) return
      if (delayMs === 0) client.write(chunk)
      else setTimeout(() => { client.write(chunk) }, delayMs)
    })
    upstream.on('close', () => { setTimeout(() => { client.destroy() }, delayMs) })
    client.on('close', () => { upstream.end() })
  }
  const listen = async (port: number): Promise<number> => {
    server = createServer(carry)
    await new Promise<void>((resolve, reject) => { server?.once('error', reject).listen(port, '127.0.0.1', resolve) })
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await listen(0)
  const close = async (): Promise<void> => {
    const closing = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve))
    // Those who held connections hear of their end no later than this one of its refusal.
    await new Promise<void>((resolve) => { connect(port, '127.0.0.1').on('error', () => { resolve() }) })
  }
  return {
    port,
    async open() {
      muted = false
      delayMs = 0
      if (server === undefined) await listen(port)
    },
    close,
    mute() { muted = true },
    slow(ms) { delayMs = ms },
    [Symbol.asyncDispose]: close,
  }
}
