import { randomUUID } from 'node:crypto'
import {
  a2aActions,
  a2aMethods,
  argumentOf,
  operations,
  tools,
  type A2aMethod,
  type Operation,
  type OperationName,
  type Tool,
} from '@ergon/contract'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { pour } from '../http/pour.ts'
import type { Answer, Fields, Sent, Transport, TransportName } from './transport.ts'

type Request = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Every transport of the service at that address. */
export function openTransports(url: string): Readonly<Record<TransportName, Transport>> {
  return { REST: overRest(url), tools: overTools(url), A2A: overA2a(url) }
}

async function exchange(
  url: string,
  { method, target, headers, body }: Request,
  { as, clock = 0, twice, headers: more = {} }: Sent,
): Promise<Reply> {
  const sent = { ...headers, ...more }
  const all =
    as === null
      ? { host: authority, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...sent }
      : await signed(method, target, body, {
          signer: as.signer,
          ...(as.chainId === undefined ? {} : { chainId: as.chainId }),
          headers: sent,
          now: clock,
          nonce: randomUUID(),
        })
  if (twice === true) await send(url, method, target, all, body)
  return send(url, method, target, all, body)
}

function overRest(url: string): Transport {
  return {
    name: 'REST',
    offers: () => true,
    async call(name, sent) {
      const operation: Operation = operations[name]
      const [binding] = operation.rest
      if (binding === undefined) throw new Error(`${name} has no route`)
      const { status, body } = await exchange(url, { method: binding.method, ...pour(binding, sent.input) }, sent)
      return { code: status < 300 ? null : String(body.code), body }
    },
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'parity', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

function overTools(url: string): Transport {
  const toolFor = (name: OperationName): readonly [string, Tool] | undefined =>
    Object.entries<Tool>(tools).find(([, { operation }]) => operation === name)
  return {
    name: 'tools',
    offers: (name) => toolFor(name) !== undefined,
    async call(name, sent) {
      const [toolName, tool] = toolFor(name) ?? missing(name)
      const given = Object.fromEntries(
        Object.entries(sent.input).map(([field, value]) => [argumentOf(tool, field), value]),
      )
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: toolName, arguments: given, _meta: meta },
      })
      const headers = {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': toolName,
      }
      const reply = await exchange(url, { method: 'POST', target: '/mcp', headers, body }, sent)
      // Before a tool is reached the answer is that of REST.
      if (reply.status !== 200) return { code: String(reply.body.code), body: reply.body }
      const result = reply.body['result'] as
        { readonly isError?: boolean; readonly structuredContent: Fields } | undefined // the shape of a tool's answer
      if (result === undefined) throw new Error(`${toolName} answers ${JSON.stringify(reply.body)}`)
      return {
        code: result.isError === true ? String(result.structuredContent['code']) : null,
        body: result.structuredContent,
      }
    },
  }
}

type Part = {
  readonly kind: string
  readonly data?: { readonly result?: Fields; readonly wallet_action?: { readonly reason: string } }
}
type Said = {
  readonly kind?: string
  readonly parts?: readonly Part[]
  readonly status?: { readonly message: { readonly parts: readonly Part[] } }
}

/** The method that the operation has in the market's own words, else an action of a message. */
function overA2a(url: string): Transport {
  const methodFor = (name: OperationName): string | undefined =>
    Object.entries<A2aMethod>(a2aMethods).find(
      ([, { dialect, operation }]) => dialect === 'market' && operation === name,
    )?.[0]
  const actionFor = (name: OperationName): string | undefined =>
    Object.entries(a2aActions).find(([, operation]) => operation === name)?.[0]
  return {
    name: 'A2A',
    offers: (name) => methodFor(name) !== undefined || actionFor(name) !== undefined,
    async call(name, sent) {
      const method = methodFor(name)
      const message = {
        message: {
          kind: 'message',
          role: 'user',
          messageId: randomUUID(),
          parts: [{ kind: 'data', data: { action: actionFor(name) ?? missing(name), params: sent.input } }],
        },
      }
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: method ?? 'message/send',
        params: method === undefined ? message : sent.input,
      })
      const reply = await exchange(url, { method: 'POST', target: '/a2a', headers: {}, body }, sent)
      const { error, result } = reply.body as {
        readonly error?: { readonly data: Fields } | string
        readonly result?: Said
      } // one of them, or the error of the transport below
      if (error !== undefined) {
        const refused = typeof error === 'string' ? reply.body : error.data
        return { code: String(refused['code']), body: refused }
      }
      // A method of the market answers its operation's body.
      return method === undefined ? readSaid(result ?? {}) : { code: null, body: { ...(result as Fields) } }
    },
  }
}

function readSaid({ parts, status }: Said): Answer {
  const data = (parts ?? status?.message.parts ?? []).flatMap((part) => (part.data === undefined ? [] : [part.data]))
  const waiting = data.find(({ wallet_action: action }) => action !== undefined)?.wallet_action
  if (waiting !== undefined) return { code: waiting.reason, body: {} }
  const result = data.find((one) => one.result !== undefined)?.result
  if (result === undefined) throw new Error(`a message without a result: ${JSON.stringify(data)}`)
  return { code: null, body: result }
}

function missing(name: OperationName): never {
  throw new Error(`${name} is not offered here`)
}
