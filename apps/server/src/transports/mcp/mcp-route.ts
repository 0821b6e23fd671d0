import { Readable } from 'node:stream'
import { limits } from '@ergon/contract'
import { isRefusal } from '../../dispatch/refusal.ts'
import { createMcpHandler, ProtocolErrorCode, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../dispatch/error-body.ts'
import { rateHeaders } from '../../dispatch/limits.ts'
import { readJsonObject } from '../../dispatch/json-text.ts'
import { rawRequest } from '../raw-request.ts'
import type { RequestLine } from '../rest.ts'
import { admit, type Admission, type DoorDeps } from './door.ts'
import type { Message } from './fixtures.ts'
import type { Exchange, ToolServerDeps } from './tool-server.ts'
import { createToolServerFactory } from './tool-server.ts'
import { createResourceNews, type Listen } from './resource-news.ts'
import { decimalArguments } from './tool-call.ts'
import { createListening } from './listening.ts'
import { demandStep } from './step-up.ts'

export type McpDeps = Omit<ToolServerDeps, 'exchangeOf' | 'onCall'> &
  DoorDeps & {
    readonly listen: Listen
    readonly onRequest: (line: RequestLine) => void
    readonly onFault: (fault: unknown, requestId: string) => void
  }

type AuthInfo = NonNullable<Parameters<ToolServerDeps['exchangeOf']>[0]>

/**
 * The tool protocol over streamable HTTP in both spellings of its path, without a redirect between them (decision
 * 0063).
 */
export function addToolServer(server: FastifyInstance, deps: McpDeps): void {
  const exchanges = new WeakMap<AuthInfo, Exchange>()
  const handler = createMcpHandler(
    createToolServerFactory({
      ...deps,
      exchangeOf(authInfo) {
        const exchange = authInfo === undefined ? undefined : exchanges.get(authInfo)
        if (exchange === undefined) throw new Error('a request came past the door')
        return exchange
      },
      onCall(tool, sender, served) {
        if (served.fault !== undefined) deps.onFault(served.fault, sender.request.requestId)
        deps.onRequest({
          id: sender.request.requestId,
          op: tool,
          method: 'TOOL',
          path: '/mcp',
          status: served.status,
          ms: 0,
          wallet: sender.principal.wallet,
          ...(served.code === null ? {} : { code: served.code }),
        })
      },
    }),
    { bus: createResourceNews(deps.listen), maxRequestBodySize: limits.bodyBytes },
  )
  const listening = createListening(deps.calls)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const admission: Admission = { rate: null }
    reply.headers(guards).header('x-request-id', request.id)
    try {
      const raw = rawRequest(request, reply)
      const sender = await admit(deps, raw, admission)
      reply.headers(rateHeaders(admission.rate, deps.now()))
      const message = request.method === 'POST' ? readMessage(raw.body) : undefined
      if (message === null) return await reply.code(400).header('content-type', json).send(notJson)
      if (message?.method === '') deps.fixtures?.receive(message)
      if (message !== undefined) demandStep(sender, message, deps.bearers)
      if (message?.method === 'subscriptions/listen') await listening.begin(sender, message.params)
      const authInfo: AuthInfo = { token: '', clientId: sender.principal.wallet, scopes: [] }
      exchanges.set(authInfo, { sender, message: message ?? nothing })
      return await pass(handler, request, reply, {
        authInfo,
        ...(message === undefined ? {} : { parsedBody: message.value }),
      })
    } catch (thrown) {
      return refuse(deps, thrown, request, reply, admission)
    }
  }
  for (const url of mcpPaths) server.route({ method: ['GET', 'POST', 'DELETE'], url, handler: answer })
  server.addHook('onClose', () => handler.close())
}

/** Both spellings of the endpoint. */
export const mcpPaths: ReadonlySet<string> = new Set(['/mcp', '/mcp/'])

const json = 'application/json; charset=utf-8'
const guards = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', vary: 'Signature-Input, Signature' }
const notJson = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: ProtocolErrorCode.ParseError,
    message: 'The body is not one JSON-RPC message: an object in UTF-8 that repeats no key.',
  },
})

/** What a request without a body asks. */
const nothing: Message = { value: {}, method: '', params: {}, sources: {} }

/** Read as strictly as every body, for the same reason; null when it is no message. */
function readMessage(body: Uint8Array): Message | null {
  try {
    const { value, sources } = readJsonObject(body, decimalArguments, ['params', 'arguments'])
    const { method, params } = value
    return {
      value,
      sources,
      method: typeof method === 'string' ? method : '',
      params: { ...(typeof params === 'object' ? params : {}) },
    }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** What the protocol reads of the headers; the rest is none of its business. */
const ownHeader = /^(?:accept|content-type|last-event-id|mcp-.*)$/

async function pass(
  handler: McpHttpHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { readonly authInfo: AuthInfo; readonly parsedBody?: unknown },
): Promise<FastifyReply> {
  const abort = new AbortController()
  reply.raw.once('close', () => {
    abort.abort()
  })
  const headers = Object.entries(request.headers).filter(
    (entry): entry is [string, string] => ownHeader.test(entry[0]) && typeof entry[1] === 'string',
  )
  const response = await handler.fetch(
    new Request('http://tools.internal/mcp', { method: request.method, headers, signal: abort.signal }),
    options,
  )
  reply.code(response.status)
  const contentType = response.headers.get('content-type')
  if (contentType !== null) reply.header('content-type', contentType)
  const allow = response.headers.get('allow')
  if (allow !== null) reply.header('allow', allow)
  if (response.body === null) return reply.send()
  if (contentType?.startsWith('text/event-stream') !== true) return reply.send(await response.text())
  return reply.header('x-accel-buffering', 'no').send(Readable.fromWeb(response.body))
}

function refuse(
  deps: McpDeps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): FastifyReply {
  const error = errorAnswer(thrown, request.id)
  const { status, code, body, headers } = error
  if (code === 'INTERNAL') deps.onFault(thrown, request.id)
  deps.onRequest({ id: request.id, op: 'mcp', method: request.method, path: '/mcp', status, ms: 0, code })
  if (status === 401) {
    const scheme = `ERC8128 realm="${new URL(deps.about.mcpUrl).host}"`
    reply.headers({ 'www-authenticate': `${scheme}, error="${code}"`, 'x-svc-auth-schemes': scheme })
  }
  return reply
    .code(status)
    .headers({ ...rateHeaders(admission.rate, deps.now()), ...headers, ...deps.bearers?.challenge(error) })
    .header('content-type', json)
    .send(JSON.stringify(body))
}
