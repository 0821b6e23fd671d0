import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MachineCalls } from '../embedded/calls.ts'
import { methods } from './methods.ts'
import { RpcFault, rpcCode } from './rpc-fault.ts'

/** Far above any call that is served: a transaction is 1,700 characters, a hundred addresses are 5 kB. */
const mostBodyBytes = 64 * 1024
const mostInFlight = 128
const mostConnections = 256
const bodyTimeoutMs = 5_000

/** The JSON-RPC of an embedded ledger over HTTP. */
export type RpcFront = AsyncDisposable & { readonly url: string; readonly port: number }

/**
 * Serves Solana's JSON-RPC on the loopback interface, so that any Solana client works against the embedded ledger. One
 * call a request; who is not on this machine cannot reach it, and a page in a browser may not call it.
 *
 * @param port any free one without it. @throws Error if the port is taken.
 */
export async function startRpcFront(machine: MachineCalls, port = 0): Promise<RpcFront> {
  let inFlight = 0
  const server = createServer((request, response) => {
    if (inFlight >= mostInFlight) {
      respond(response, 503, faultBody(null, new RpcFault(rpcCode.internal, 'too many calls in flight: try again')))
      return
    }
    inFlight += 1
    void answer(machine, request, response).finally(() => {
      inFlight -= 1
    })
  })
  server.maxConnections = mostConnections
  server.requestTimeout = bodyTimeoutMs
  server.headersTimeout = bodyTimeoutMs
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, '127.0.0.1', listening.resolve)
  await listening.promise
  // A server that listens on a port has such an address.
  const { port: taken } = server.address() as AddressInfo
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      const closed = Promise.withResolvers<void>()
      server.close(() => {
        closed.resolve()
      })
      await closed.promise
    },
  }
}

async function answer(machine: MachineCalls, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    respond(response, 405, faultBody(null, new RpcFault(rpcCode.request, 'calls are sent with POST')))
    return
  }
  // A browser sends other types without asking first; this one it asks for, and is never allowed.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    respond(response, 415, faultBody(null, new RpcFault(rpcCode.request, 'a call is application/json')))
    return
  }
  const body = await readBody(request)
  if (body === undefined) {
    response.once('finish', () => request.destroy())
    respond(response, 413, faultBody(null, new RpcFault(rpcCode.request, `a call has at most ${mostBodyBytes} bytes`)))
    return
  }
  respond(response, 200, await carryOut(machine, body))
}

/** Undefined when the body is too long or breaks off. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // A request without an encoding gives buffers.
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBodyBytes) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function carryOut(machine: MachineCalls, body: string): Promise<object> {
  let id: unknown = null
  try {
    const call = parseCall(body)
    id = call.id
    const method = methods.get(call.method)
    if (method === undefined) throw new RpcFault(rpcCode.method, `Method not found: ${call.method.slice(0, 64)}`)
    return { jsonrpc: '2.0', id, result: await method(machine, call.params) }
  } catch (error) {
    return faultBody(id, error)
  }
}

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

function parseCall(body: string): Call {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new RpcFault(rpcCode.parse, 'the body is not JSON')
  }
  if (Array.isArray(value)) throw new RpcFault(rpcCode.request, 'one call a request: batches are not served')
  if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string')
    throw new RpcFault(rpcCode.request, 'a call names its method')
  const params = 'params' in value ? value.params : []
  if (!Array.isArray(params)) throw new RpcFault(rpcCode.params, 'parameters are a list')
  return { id: 'id' in value ? value.id : null, method: value.method, params }
}

function faultBody(id: unknown, error: unknown): object {
  const fault = error instanceof RpcFault ? error : new RpcFault(rpcCode.internal, messageOf(error))
  const data = fault.data === undefined ? {} : { data: fault.data }
  return { jsonrpc: '2.0', id, error: { code: fault.code, message: fault.message, ...data } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the ledger failed'
}

function respond(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}
