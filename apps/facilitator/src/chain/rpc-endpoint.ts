import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { createBatches, type Posted } from './rpc-batches.ts'
import { NoAnswer, type RpcAnswer, type RpcRequest } from './rpc-call.ts'

/** One node over kept-alive HTTP. Batches it finds too large are split. Throws `NoAnswer`. */
export type RpcEndpoint = Disposable & {
  batch(requests: readonly RpcRequest[]): Promise<RpcAnswer[]>
  /** How many connections were opened so far. */
  opened(): number
}

// A node's answer to a full batch of receipts stays far below this; anything larger is not an answer to us.
const maxAnswerBytes = 64 * 1024 * 1024
const usualRetryMs = 500

type EndpointOptions = { readonly url: string; readonly timeoutMs: number; readonly surroundings: Surroundings }

export function createRpcEndpoint(options: EndpointOptions): RpcEndpoint {
  const url = new URL(options.url)
  const secure = url.protocol === 'https:'
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 16 })
    : new HttpAgent({ keepAlive: true, maxSockets: 16 })
  const target = { hostname: url.hostname, port: url.port, path: `${url.pathname}${url.search}`, agent, method: 'POST' }
  const headers = headersOf(url)
  let opened = 0

  const post = (body: string): Promise<Posted> =>
    new Promise((resolve, reject) => {
      let isSent = false
      const request = (secure ? httpsRequest : httpRequest)({
        ...target,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      })
      const cancel = options.surroundings.after(options.timeoutMs, () => {
        request.destroy(new Error('timeout'))
      })
      // The message never carries the URL: RPC URLs hold keys.
      const fail = (cause: unknown): void => {
        cancel()
        reject(new NoAnswer('the chain node does not answer', { mayHaveArrived: isSent, cause }))
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
        readText(response).then(
          (text) => {
            cancel()
            resolve({ status: response.statusCode ?? 0, text, retryAfterMs: retryAfterMs(response) })
          },
          (error: unknown) => {
            request.destroy()
            fail(error)
          },
        )
      })
      request.end(body)
    })

  const { batch } = createBatches(post, options.surroundings)
  return {
    batch,
    opened: () => opened,
    [Symbol.dispose]() {
      agent.destroy()
    },
  }
}

function headersOf(url: URL): Readonly<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  if (url.username === '') return headers
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('answer too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = Number(headers['retry-after'])
  return headers['retry-after'] !== undefined && seconds >= 0 ? seconds * 1_000 : usualRetryMs
}
