import { request } from 'node:http'
import { Readable } from 'node:stream'
import { authority, signed } from '../dispatch/tiny-service.ts'
import type { Party } from '../http/live-market.ts'

/**
 * A fetch that reaches the service under the name it is published by, and signs what a party posts. The platform's own
 * fetch names the host it connects to.
 */
export function fetchAs(
  url: string,
  party?: Party,
  onSigned: (headers: Readonly<Record<string, string>>) => void = () => undefined,
): typeof fetch {
  return async (input, init = {}) => {
    const outgoing = new Request(input, init)
    const { pathname, search } = new URL(outgoing.url)
    const body = outgoing.method === 'GET' ? undefined : await outgoing.text()
    const given = Object.fromEntries(outgoing.headers)
    const headers =
      party === undefined || body === undefined
        ? { ...given, host: authority }
        : await signed(outgoing.method, pathname + search, body, { key: party.key, headers: given })
    onSigned(headers)
    return exchange(url, outgoing.method, pathname + search, headers, body, init.signal ?? null)
  }
}

function exchange(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  signal: AbortSignal | null,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const { hostname: host, port } = new URL(url)
  const sent = request(
    {
      host,
      port,
      method,
      path,
      agent: false,
      headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      ...(signal === null ? {} : { signal }),
    },
    (incoming) => {
      // The stream types of Node and of the web name the same thing.
      const stream = incoming.statusCode === 204 ? null : (Readable.toWeb(incoming) as ReadableStream)
      const answered = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
      resolve(new Response(stream, { status: incoming.statusCode ?? 0, headers: answered }))
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}
