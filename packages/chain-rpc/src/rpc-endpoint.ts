import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createBatches, type Post, type Posted } from './rpc-batches.ts'
import { NoAnswer, type RpcAnswer, type RpcLimits, type RpcRequest } from './rpc-call.ts'
import type { Timers } from './timers.ts'

/** One node over kept-alive HTTP. Batches it finds too large are split. Throws `NoAnswer`. */
export type RpcEndpoint = Disposable & {
  batch(requests: readonly RpcRequest[], limits: RpcLimits): Promise<RpcAnswer[]>
  /** How many connections were opened so far. */
  opened(): number
}

const usualRetryMs = 500

type EndpointOptions = { readonly url: string; readonly timers: Timers }

/** What one attempt ended with: `isStale` when it went over a kept connection that its other end had closed. */
type Attempt = Posted | { readonly failure: NoAnswer; readonly isStale: boolean }

export function createRpcEndpoint({ url: text, timers }: EndpointOptions): RpcEndpoint {
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 64 })
    : new HttpAgent({ keepAlive: true, maxSockets: 64 })
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const target = { hostname, port: url.port, path: `${url.pathname}${url.search}`, agent, method: 'POST' }
  const headers = headersOf(url)
  let opened = 0

  const attempt = (body: string, { timeoutMs, maxBytes }: RpcLimits): Promise<Attempt> =>
    new Promise((resolve) => {
      let isSent = false
      let isAnswered = false
      const request = (secure ? httpsRequest : httpRequest)({
        ...target,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      })
      const cancel = timers.after(timeoutMs, () => {
        request.destroy(new Error('timeout'))
      })
      // The message never carries the URL: RPC URLs hold keys.
      const fail = (cause: unknown): void => {
        cancel()
        const isStale = request.reusedSocket && !isAnswered && isCut(cause)
        const isTooLarge = cause instanceof TooLarge
        const failure = new NoAnswer('the chain node does not answer', { mayHaveArrived: isSent, isTooLarge, cause })
        resolve({ failure, isStale })
      }
      request.on('socket', (socket) => {
        const connected = (): void => {
          isSent = true
          opened += 1
        }
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected)
        else isSent = true
      })
      request.on('error', fail)
      request.on('response', (response) => {
        isAnswered = true
        readText(response, maxBytes).then(
          (answer) => {
            cancel()
            resolve({ status: response.statusCode ?? 0, text: answer, retryAfterMs: retryAfterMs(response) })
          },
          (error: unknown) => {
            request.destroy()
            fail(error)
          },
        )
      })
      request.end(body)
    })
  // A kept connection that its other end closed while it was idle tells nothing about the node behind it.
  const post: Post = async (body, how) => {
    const first = await attempt(body, how)
    const last = 'failure' in first && first.isStale && how.isRead ? await attempt(body, how) : first
    if ('failure' in last) throw last.failure
    return last
  }

  const { batch } = createBatches(post, timers)
  return {
    batch,
    opened: () => opened,
    [Symbol.dispose]() {
      agent.destroy()
    },
  }
}

class TooLarge extends Error {
  override readonly message = 'the answer is too large'
}

function isCut(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
}

function headersOf(url: URL): Readonly<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  if (url.username === '') return headers
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** By events: a loop over the answer's parts costs as much as the rest of a call. */
function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) reject(new TooLarge())
      else chunks.push(chunk)
    })
    response.on('end', () => {
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    response.on('error', reject)
    // After its end this changes nothing.
    response.on('close', () => {
      reject(new Error('the answer was cut off'))
    })
  })
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = Number(headers['retry-after'])
  return headers['retry-after'] !== undefined && seconds >= 0 ? seconds * 1_000 : usualRetryMs
}
