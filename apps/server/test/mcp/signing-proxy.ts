import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { privateKeySigner, signRequest } from '@ergon/protocols'

/**
 * A proxy before the tool server that signs whatever comes, so that a program that knows no signatures can ask it
 * anything.
 */
export async function startSigningProxy(target: string): Promise<AsyncDisposable & { readonly url: string }> {
  const signer = privateKeySigner(`0x${'2b'.repeat(32)}`)
  const served = new URL(target)
  const isOwn = (host: string): boolean => /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host)
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = (await buffer(incoming)).toString()
      // The proxy's own names are those of the service; foreign ones are passed on as they are.
      const host = isOwn(incoming.headers.host ?? '') ? served.host : (incoming.headers.host ?? '')
      const { origin } = incoming.headers
      const {
        connection: _connection,
        'transfer-encoding': _encoding,
        'content-length': _length,
        ...kept
      } = incoming.headers
      const headers = {
        ...kept,
        host,
        ...(origin !== undefined && isOwn(origin.replace(/^http:\/\//, '')) ? { origin: served.origin } : {}),
      } as unknown as Record<string, string> // none of them is repeated
      const added = await signRequest(
        {
          method: incoming.method ?? 'GET',
          url: `http://${host}${incoming.url ?? '/'}`,
          headers,
          ...(body === '' ? {} : { body }),
        },
        { signer, chainId: 31337, now: Date.now() / 1000, nonce: randomUUID() },
      )
      const passed = request(
        {
          host: served.hostname,
          port: served.port,
          method: incoming.method,
          path: incoming.url,
          headers: {
            ...headers,
            ...added,
            ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          },
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        },
      )
      passed.on('error', () => outgoing.destroy())
      outgoing.on('close', () => passed.destroy())
      passed.end(body)
    })().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://localhost:${String(port)}/mcp/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
