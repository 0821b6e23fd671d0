import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isLoopbackHost } from './loopback-host.ts'
import type { MetricsAt } from './metrics-settings.ts'
import { metricsType } from './print-figures.ts'

export type MetricsPage = {
  /** Undefined: nobody is asked for one, and the listener is for this machine alone. */
  readonly token: string | undefined
  /** The text of the page. */
  readonly print: () => Promise<string>
  readonly onFault: (error: unknown) => void
}

/** However many ask, the figures are read once a second. */
const keptMs = 1_000
const mostConnections = 16

/**
 * Answers `GET /metrics` on a listener of its own, which no proxy passes on: not on the port of the service, where
 * strangers come by.
 *
 * @throws the error of the platform when it cannot listen
 */
export async function listenMetrics({ host, port }: MetricsAt, page: MetricsPage): Promise<AsyncDisposable> {
  const print = keptFor(keptMs, page.print)
  const server = createServer(
    // Prometheus keeps its connection between two scrapes; who asks for nothing keeps no place.
    {
      requestTimeout: 5_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 70_000,
      maxHeaderSize: 8_192,
    },
    (request, response) => {
      const refused = refusalOf(request, page.token)
      if (refused !== undefined) answer(response, refused, '')
      else
        print().then(
          (text) => {
            answer(response, 200, text)
          },
          (error: unknown) => {
            page.onFault(error)
            answer(response, 500, '')
          },
        )
    },
  )
  server.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', page.onFault)
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function refusalOf({ method, url, headers }: IncomingMessage, token: string | undefined): number | undefined {
  if (token === undefined) {
    // The page of a browser on this machine comes by a name of its own that leads here.
    if (!isLoopbackHost(nameOf(headers.host ?? ''))) return 421
  } else if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) return 401
  if (url?.split('?', 1)[0] !== '/metrics') return 404
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': metricsType,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    // Strangers leave the few connections to whoever has the token.
    ...(status === 200 ? {} : { connection: 'close' }),
  })
  response.end(text)
}

function keptFor(ms: number, read: () => Promise<string>): () => Promise<string> {
  let kept: { readonly text: Promise<string>; readonly until: number } | undefined
  return () => {
    if (kept === undefined || performance.now() > kept.until) kept = { text: read(), until: performance.now() + ms }
    return kept.text
  }
}
