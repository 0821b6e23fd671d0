import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What happens to a question that matches: carried, or its answer is lost and the connection cut. */
export type PgFate = 'carry' | 'lose-answer' | 'lose-question' | 'hold'

export type PgProxy = AsyncDisposable & {
  /** The same database, reached through this line. */
  readonly url: string
  /** Asked with each piece that a client sends; the name of a prepared statement is readable in it. */
  decide: (question: string) => PgFate
  /** Lets what was held go on its way. */
  release(): void
  /** Cuts every open connection. */
  cut(): void
}

/** A line to PostgreSQL that fails at chosen questions. */
export async function startPgProxy(target: string): Promise<PgProxy> {
  const url = new URL(target)
  const socketFolder = url.searchParams.get('host')
  const port = Number(url.port)
  const upstreamAt =
    socketFolder === null ? { host: url.hostname, port } : { path: `${socketFolder}/.s.PGSQL.${String(port)}` }
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  const proxy: { decide: PgProxy['decide'] } = { decide: () => 'carry' }
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
      })
    return socket
  }
  const server = createServer((client) => {
    const upstream = track(connect(upstreamAt))
    let isLosing = false
    track(client).on('data', (chunk: Buffer) => {
      const fate = proxy.decide(chunk.toString('latin1'))
      if (fate === 'lose-question') {
        client.destroy()
        return
      }
      if (fate === 'hold') {
        held.push(() => upstream.write(chunk))
        client.destroy()
        return
      }
      if (fate === 'lose-answer') isLosing = true
      upstream.write(chunk)
    })
    // The answer has come this far: the statement has been carried out.
    upstream.on('data', (chunk) => {
      if (isLosing) client.destroy()
      else client.write(chunk)
    })
    upstream.on('close', () => {
      client.destroy()
    })
    client.on('close', () => {
      if (held.length === 0) upstream.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port) // it listens on TCP
  return Object.assign(proxy, {
    url: url.toString(),
    release() {
      for (const go of held.splice(0)) go()
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
