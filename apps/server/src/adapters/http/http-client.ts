import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** An exchange that got no complete answer. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
  /** False only when no byte of the request can have left: then nothing was asked. */
  readonly sent: boolean
  /** An answer came, and was not read to its end because it is larger than any that is meant for us. */
  readonly tooLarge: boolean

  constructor(cause: unknown, sent: boolean) {
    super(cause instanceof Error ? cause.message : 'no answer', { cause })
    this.sent = sent
    this.tooLarge = cause instanceof TooLarge
  }
}

class TooLarge extends Error {
  override readonly message = 'the answer is too large'
}

export type HttpExchange = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxBytes: number
}
export type HttpAnswer = { readonly status: number; readonly text: string }

/** One origin over kept-alive connections. */
export type HttpClient = Disposable & {
  /** Throws `HttpFault`. Its messages never carry the URL: RPC URLs hold keys. */
  exchange(request: HttpExchange): Promise<HttpAnswer>
}

/** A request is sent once and never repeated here: whether it may be is the caller's knowledge. */
export function createHttpClient(baseUrl: string): HttpClient {
  const url = new URL(baseUrl)
  const secure = url.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true, maxSockets: 64 }) : new HttpAgent({ keepAlive: true, maxSockets: 64 })
  const open = secure ? httpsRequest : httpRequest
  const prefix = `${url.pathname.replace(/\/$/, '')}`
  const credentials: Record<string, string> = url.username === '' ? {} : {
    authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
  }
  return {
    exchange: ({ method, path, body, headers, timeoutMs, maxBytes }) => new Promise((resolve, reject) => {
      const length: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      const request = open({
        hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port, agent, method, path: `${prefix}${path}${url.search}` || '/',
        headers: { ...credentials, ...length, ...headers },
      }, (response) => {
        collect(response, maxBytes).then((text) => { settle(() => { resolve({ status: response.statusCode ?? 0, text }) }) }, fail)
      })
      const timer = setTimeout(() => { fail(new Error('timeout')) }, timeoutMs)
      const settle = (end: () => void): void => { clearTimeout(timer); end() }
      const fail = (cause: unknown): void => {
        const sent = mayHaveLeft(request)
        settle(() => { reject(new HttpFault(cause, sent)) })
        request.destroy()
      }
      request.on('error', fail)
      request.end(body)
    }),
    [Symbol.dispose]() { agent.destroy() },
  }
}

/** A reused connection, or one that was established, may have carried the request; one still being made cannot. */
function mayHaveLeft(request: ClientRequest): boolean {
  const { socket } = request
  // Null until the pool gives the request a connection.
  return socket !== null && (request.reusedSocket || (!socket.connecting && socket.bytesWritten > 0))
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) { // no encoding is set, so chunks are buffers
    size += chunk.length
    if (size > maxBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('the answer was cut off')
  return Buffer.concat(chunks).toString('utf8')
}
