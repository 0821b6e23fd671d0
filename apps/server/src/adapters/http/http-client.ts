import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** An exchange that got no complete answer. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
  /** False only when no byte of the request can have left: then nothing was asked. */
  readonly sent: boolean
  /** An answer came, and was not read to its end because it is larger than any that is meant for us. */
  readonly tooLarge: boolean

  /** It went over a kept connection that was found dead. */
  readonly stale: boolean

  constructor(cause: unknown, sent: boolean, stale = false) {
    super(cause instanceof Error ? cause.message : 'no answer', { cause })
    this.sent = sent
    this.stale = stale
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
  /** What shares connections: as many of each may be under way as of any other. */
  readonly lane?: string | undefined
}
/** Of the headers only what is asked for here: `date`. */
export type HttpAnswer = {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One origin over kept-alive connections. */
export type HttpClient = Disposable & {
  /** Throws `HttpFault`. Its messages never carry the URL: RPC URLs hold keys. */
  exchange(request: HttpExchange): Promise<HttpAnswer>
}

/** Everything asked through it may be asked twice: reads, and orders that carry their key. */
export function createHttpClient(baseUrl: string): HttpClient {
  const origin = createOrigin(baseUrl)
  return {
    async exchange(request) {
      try {
        return await attempt(origin, request)
      } catch (error) {
        // A kept connection that its other end closed while it was idle says nothing of the service behind it.
        if (!(error instanceof HttpFault) || !error.stale) throw error
        return await attempt(origin, request).catch((again: unknown) => {
          throw again instanceof HttpFault ? new HttpFault(again.cause, true) : again
        })
      }
    },
    [Symbol.dispose]() {
      for (const agent of origin.agents.values()) agent.destroy()
    },
  }
}

/** Of each lane; what comes beside waits, and its time runs. */
const maxSockets = 64
const mostLanes = 32

type Origin = ReturnType<typeof createOrigin>

function createOrigin(baseUrl: string) {
  const url = new URL(baseUrl)
  const secure = url.protocol === 'https:'
  const credentials: Readonly<Record<string, string>> =
    url.username === ''
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
        }
  const agents = new Map<string, HttpAgent>()
  const createAgent = (): HttpAgent =>
    secure ? new HttpsAgent({ keepAlive: true, maxSockets }) : new HttpAgent({ keepAlive: true, maxSockets })
  return {
    agents,
    agentOf(named = ''): HttpAgent {
      // Lanes are few; whoever makes many shares one.
      const lane = agents.size < mostLanes || agents.has(named) ? named : ''
      const agent = agents.get(lane) ?? createAgent()
      agents.set(lane, agent)
      return agent
    },
    open: secure ? httpsRequest : httpRequest,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    pathOf: (path: string) => `${url.pathname.replace(/\/$/, '')}${path}${url.search}` || '/',
    credentials,
  }
}

function attempt(
  origin: Origin,
  { method, path, body, headers, timeoutMs, maxBytes, lane }: HttpExchange,
): Promise<HttpAnswer> {
  const { agentOf, open, hostname, port, pathOf, credentials } = origin
  const length: Readonly<Record<string, string>> =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    let answered = false
    const request = open(
      {
        hostname,
        port,
        agent: agentOf(lane),
        method,
        path: pathOf(path),
        headers: { ...credentials, ...length, ...headers },
      },
      (response) => {
        answered = true
        collect(response, maxBytes).then((text) => {
          settle(() => {
            resolve({
              status: response.statusCode ?? 0,
              text,
              headers: response.headers.date === undefined ? {} : { date: response.headers.date },
            })
          })
        }, fail)
      },
    )
    const mayHaveLeft = watchConnection(request)
    const timer = setTimeout(() => {
      fail(new Error('timeout'))
    }, timeoutMs)
    const settle = (end: () => void): void => {
      clearTimeout(timer)
      end()
    }
    const fail = (cause: unknown): void => {
      const stale = request.reusedSocket && !answered && isCut(cause)
      settle(() => {
        reject(new HttpFault(cause, mayHaveLeft(), stale))
      })
      request.destroy()
    }
    request.on('error', fail)
    request.end(body)
  })
}

function isCut(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
}

/** Says whether the request may have left: a connection that was never made carried nothing. */
function watchConnection(request: ClientRequest): () => boolean {
  let connected = false
  request.once('socket', (socket) => {
    if (socket.connecting)
      socket.once('connect', () => {
        connected = true
      })
    else connected = true
  })
  return () => connected
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    // no encoding is set, so chunks are buffers
    size += chunk.length
    if (size > maxBytes) throw new TooLarge()
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('the answer was cut off')
  return Buffer.concat(chunks).toString('utf8')
}
