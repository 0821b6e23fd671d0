import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Unavailable } from '../errors.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] }
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }
export type RpcAnswer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: RpcError; readonly result?: undefined }

/**
 * JSON-RPC over kept-alive HTTP. A batch is one HTTP request; a transport failure is `Unavailable`, a node's own error
 * is returned.
 */
export type RpcClient = {
  batch(requests: readonly RpcRequest[]): Promise<RpcAnswer[]>
  call(method: string, params: readonly unknown[]): Promise<unknown>
  [Symbol.dispose](): void
}

// A node's answer to a full batch of receipts stays far below this; anything larger is not an answer to us.
const maxAnswerBytes = 64 * 1024 * 1024

export function createRpcClient(options: {
  readonly url: string
  readonly timeoutMs: number
  readonly surroundings: Surroundings
}): RpcClient {
  const url = new URL(options.url)
  const secure = url.protocol === 'https:'
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 16 })
    : new HttpAgent({ keepAlive: true, maxSockets: 16 })
  const open = secure ? httpsRequest : httpRequest
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username !== '') {
    headers['authorization'] =
      `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
  }
  const target = { hostname: url.hostname, port: url.port, path: `${url.pathname}${url.search}`, agent, method: 'POST' }

  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // The message never carries the URL: RPC URLs hold keys.
      const fail = (cause: unknown): void => {
        reject(new Unavailable('rpc_unavailable', 'the chain node does not answer', { cause }))
      }
      const request = open(
        { ...target, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > maxAnswerBytes) request.destroy(new Error('answer too large'))
            else chunks.push(chunk)
          })
          response.on('error', fail)
          response.on('end', () => {
            cancel()
            resolve(Buffer.concat(chunks).toString('utf8'))
          })
        },
      )
      const cancel = options.surroundings.after(options.timeoutMs, () => {
        request.destroy(new Error('timeout'))
      })
      request.on('error', (error) => {
        cancel()
        fail(error)
      })
      request.end(body)
    })

  const batch = async (requests: readonly RpcRequest[]): Promise<RpcAnswer[]> => {
    if (requests.length === 0) return []
    const text = await post(
      JSON.stringify(requests.map((entry, id) => ({ jsonrpc: '2.0', id, method: entry.method, params: entry.params }))),
    )
    return parseBatch(text, requests.length)
  }

  return {
    batch,
    async call(method, params) {
      const [answer] = await batch([{ method, params }])
      if (answer === undefined || answer.error !== undefined) {
        throw new Unavailable('rpc_unavailable', `the chain node refused ${method}`, { cause: answer?.error })
      }
      return answer.result
    },
    [Symbol.dispose]() {
      agent.destroy()
    },
  }
}

function parseBatch(text: string, count: number): RpcAnswer[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new Unavailable('rpc_unavailable', 'the chain node answered something that is not JSON', { cause })
  }
  if (!Array.isArray(parsed))
    throw new Unavailable('rpc_unavailable', 'the chain node refused the batch', { cause: parsed })
  const answers: (RpcAnswer | undefined)[] = Array.from({ length: count })
  for (const entry of parsed as unknown[]) {
    if (typeof entry !== 'object' || entry === null) continue
    const { id, result, error } = entry as { id?: unknown; result?: unknown; error?: unknown }
    if (typeof id !== 'number') continue
    answers[id] = error === undefined ? { result } : { error: asRpcError(error) }
  }
  return answers.map((answer) => answer ?? { error: { code: -32603, message: 'missing answer' } })
}

function asRpcError(error: unknown): RpcError {
  if (typeof error !== 'object' || error === null) return { code: -32603, message: 'malformed error' }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  return { code: typeof code === 'number' ? code : -32603, message: typeof message === 'string' ? message : '', data }
}
