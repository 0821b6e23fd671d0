import { connect, createServer, type Server, type Socket } from 'node:net'

/** The connections of a line, and the port that it is reached at. */
export type Sockets = AsyncDisposable & {
  readonly port: number
  track(socket: Socket): Socket
  /** Breaks every connection. */
  breakAll(): void
  /** Carries nothing over the connections of now any more, though none of them ends. */
  silence(): void
  /** Refuses new connections and breaks the others, until `open`. */
  close(): void
  open(): void
}

/** Listens on loopback for as long as the line is there; a closed line takes a connection and breaks it at once. */
export async function openSockets(carry: (client: Socket) => void): Promise<Sockets> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
      })
  }
  const server: Server = createServer((client) => {
    track(client)
    if (isOpen) carry(client)
    else client.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a line listens on TCP')
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    track,
    breakAll,
    silence() {
      for (const socket of sockets) {
        // Whoever is asked and whoever waits hears nothing, as when a firewall forgets them.
        socket.removeAllListeners('data')
        socket.pause()
      }
    },
    close() {
      isOpen = false
      breakAll()
    },
    open() {
      isOpen = true
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      breakAll()
      await closed
    },
  }
}

/** A connection to a service of this machine. */
export function reachLocal(port: number): Socket {
  return connect(port, '127.0.0.1')
}
