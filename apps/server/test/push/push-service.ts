import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Posted = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
/** Where browsers have their messages taken; answers what it is told to. */
export type PushService = AsyncDisposable & { readonly url: string; readonly posted: Posted[]; status: number }

export async function startPushService(): Promise<PushService> {
  const posted: Posted[] = []
  const service = { status: 201 }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      posted.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(service.status).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return Object.assign(service, {
    url: `http://127.0.0.1:${String(port)}`,
    posted,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  })
}
