import { isPublicAddress } from '@ergon/process'
import { lookup } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Endpoint } from '../config/endpoints.ts'
import { askedHeaders } from './headers.ts'

/** How a call went that its upstream did not answer whole: it costs nothing. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: 'unreachable' | 'timeout' | 'broken' | 'too_large'

  constructor(kind: UpstreamFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export type UpstreamRequest = {
  readonly endpoint: Endpoint
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Uint8Array
}

/** What an upstream said. `rest` goes on after `head`; it is undefined where `head` is all of it. */
export type UpstreamAnswer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly head: Uint8Array
  readonly rest: IncomingMessage | undefined
}

export type UpstreamBounds = { readonly answerMs: number; readonly answerBytes: number; readonly keptBytes: number }

/** Asks the upstreams of sellers; connections are kept for the next call. */
export type Upstreams = Disposable & {
  /**
   * Answers when the whole answer is there, or as much of it as is kept, or at once where it is a stream of events.
   *
   * @throws UpstreamFailure
   */
  call(request: UpstreamRequest): Promise<UpstreamAnswer>
}

export function createUpstreams(bounds: UpstreamBounds): Upstreams {
  const kept = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32, timeout: bounds.answerMs }
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) }
  return {
    async call(request) {
      const { promise: late, reject } = Promise.withResolvers<never>()
      const sent = send(request, agents)
      const timer = setTimeout(() => {
        reject(new UpstreamFailure('timeout', 'the upstream did not answer in time'))
        sent.destroy()
      }, bounds.answerMs)
      try {
        return await Promise.race([late, sent.answer.then((answer) => readHead(answer, bounds))])
      } catch (error) {
        sent.destroy()
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    [Symbol.dispose]() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

type Sent = { readonly answer: Promise<IncomingMessage>; destroy(): void }

function send({ endpoint, method, path, headers, body }: UpstreamRequest, agents: Agents): Sent {
  const { upstream, isPrivate } = endpoint
  const isTls = upstream.protocol === 'https:'
  const hasBody = body.length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
  const asked = (isTls ? httpsRequest : httpRequest)({
    host: upstream.hostname.replace(/^\[|\]$/g, ''),
    port: upstream.port === '' ? (isTls ? 443 : 80) : Number(upstream.port),
    agent: isTls ? agents.https : agents.http,
    method,
    path,
    headers: { ...askedHeaders(headers), host: upstream.host, ...(hasBody ? { 'content-length': body.length } : {}) },
    lookup: isPrivate ? lookup : publicLookup,
    maxHeaderSize: 32_768,
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', (response) => {
      // It may break while its charge is booked and nobody reads.
      response.on('error', () => undefined)
      resolve(response)
    })
    asked.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new UpstreamFailure('broken', 'the upstream changed the protocol'))
    })
    asked.on('error', (cause: NodeJS.ErrnoException) => {
      const isUnreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EACCES'].includes(
        cause.code ?? '',
      )
      reject(new UpstreamFailure(isUnreached ? 'unreachable' : 'broken', 'the upstream cannot be asked', cause))
    })
  })
  // A failure may come while nobody waits any more.
  answer.catch(() => undefined)
  asked.end(body)
  return { answer, destroy: () => asked.destroy() }
}

type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent }

/** A name that leads to a private address is not followed, whenever it comes to lead there. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, '')
    const open = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (first === undefined || open.length !== addresses.length) {
      const refusal: NodeJS.ErrnoException = new Error('the upstream leads to a private address')
      refusal.code = 'EACCES'
      return done(refusal, '')
    }
    return options.all === true ? done(null, open) : done(null, first.address, first.family)
  })
}

async function readHead(answer: IncomingMessage, bounds: UpstreamBounds): Promise<UpstreamAnswer> {
  const status = answer.statusCode ?? 0
  const said = answer.headers['content-length']
  if (said !== undefined && Number(said) > bounds.answerBytes) {
    answer.destroy()
    throw new UpstreamFailure('too_large', 'the upstream answers more than it may')
  }
  const whole = (head: Uint8Array, rest?: IncomingMessage): UpstreamAnswer => ({
    status,
    headers: answer.headers,
    head,
    rest,
  })
  if (/^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')) return whole(new Uint8Array(), answer)
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Left open on purpose where the answer is longer: who reads on gets the rest.
    for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > bounds.keptBytes) return whole(Buffer.concat(chunks), answer)
    }
  } catch (cause) {
    throw new UpstreamFailure('broken', 'the upstream ended in the middle of its answer', cause)
  }
  if (!answer.complete) throw new UpstreamFailure('broken', 'the upstream ended in the middle of its answer')
  return whole(Buffer.concat(chunks))
}
