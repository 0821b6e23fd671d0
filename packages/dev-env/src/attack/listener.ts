import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** An address of an agent on this machine; it takes every post. */
export type Listener = AsyncDisposable & { readonly url: string; heard(): number }

export async function startListener(): Promise<Listener> {
  let heard = 0
  const server = createHttpServer((request, response) => {
    heard += 1
    request.resume()
    response.end()
  })
  return { url: await listen(server), heard: () => heard, [Symbol.asyncDispose]: () => close(server) }
}

/** An address that takes connections and never says anything. */
export type Mute = AsyncDisposable & { readonly url: string; /** Connections that it holds. */ held(): number }

export async function startMute(): Promise<Mute> {
  const held = new Set<Socket>()
  const server = createServer((socket) => {
    held.add(
      socket
        .on('error', () => undefined)
        .once('close', () => {
          held.delete(socket)
        }),
    )
  })
  const url = await listen(server)
  return {
    url,
    held: () => held.size,
    async [Symbol.asyncDispose]() {
      for (const socket of held) socket.destroy()
      await close(server)
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` // it listens on a port
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
