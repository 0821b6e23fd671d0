import { createHttpClient, type HttpClient } from '../http/http-client.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }
export type RpcAnswer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: RpcError; readonly result?: undefined }

/** The node cannot be asked; nothing is known. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault'
}

/** JSON-RPC to one node. Throws `RpcFault`; an error of the node's own is an answer. */
export type Rpc = Disposable & {
  batch(calls: readonly RpcCall[], limits?: RpcLimits): Promise<readonly RpcAnswer[]>
  /** The result of one call; an error of the node is a fault here. */
  read(method: string, params: readonly unknown[]): Promise<unknown>
}
export type RpcLimits = { readonly timeoutMs?: number; readonly maxBytes?: number }

const defaults = { timeoutMs: 5_000, maxBytes: 16 * 1024 * 1024 }

/** Over an address, or over a line that somebody else made. */
export function createRpc(to: string | HttpClient): Rpc {
  const http = typeof to === 'string' ? createHttpClient(to) : to
  const batch = (calls: readonly RpcCall[], limits: RpcLimits = {}): Promise<readonly RpcAnswer[]> =>
    exchange(http, calls, { ...defaults, ...limits })
  return {
    batch,
    async read(method, params) {
      for (let attempt = 1; ; attempt += 1) {
        const [answer] = await batch([{ method, params }])
        if (answer?.error === undefined) return answer?.result
        // A node that prunes can lose the block it calls latest between two of its own steps; such a read is repeated.
        if (attempt < 4 && answer.error.message.includes('BlockOutOfRange')) continue
        throw new RpcFault(`the chain node refused ${method}`, { cause: answer.error })
      }
    },
    [Symbol.dispose]() {
      http[Symbol.dispose]()
    },
  }
}

async function exchange(
  http: HttpClient,
  calls: readonly RpcCall[],
  limits: Required<RpcLimits>,
): Promise<readonly RpcAnswer[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const { status, text } = await http
    .exchange({ method: 'POST', path: '', body, ...limits })
    .catch((cause: unknown) => {
      throw new RpcFault('the chain node does not answer', { cause })
    })
  const answers: readonly unknown[] | undefined = status === 200 ? listIn(text) : undefined
  if (answers === undefined) throw new RpcFault(`the chain node answered ${String(status)} without a batch`)
  const byId = new Map(
    answers.flatMap((answer) =>
      isRecord(answer) && typeof answer['id'] === 'number' ? [[answer['id'], answer] as const] : [],
    ),
  )
  return calls.map((_, id): RpcAnswer => {
    const answer = byId.get(id)
    if (answer === undefined) return { error: { code: -32603, message: 'missing answer' } }
    return answer['error'] === undefined ? { result: answer['result'] } : { error: errorOf(answer['error']) }
  })
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function errorOf(value: unknown): RpcError {
  const error = isRecord(value) ? value : {}
  const { code, message, data } = { code: error['code'], message: error['message'], data: error['data'] }
  return { code: typeof code === 'number' ? code : -32603, message: typeof message === 'string' ? message : '', data }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
