import { Readable } from 'node:stream'
import { limits } from '@ergon/contract'
import { createMcpHandler, ProtocolErrorCode, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../dispatch/error-body.ts'
import { demand, rateHeaders } from '../../dispatch/limits.ts'
import { count } from '../../dispatch/prove.ts'
import { refusal } from '../../dispatch/refusal.ts'
import { rawRequest } from '../raw-request.ts'
import type { RequestLine } from '../rest.ts'
import { admit, type Admission, type DoorDeps } from './door.ts'
import { answersOf, isOfBatches, readMessage, readMessages } from './batch.ts'
import type { Message } from './fixtures.ts'
import type { Sender } from './inner-call.ts'
import type { Exchange, ToolServerDeps } from './tool-server.ts'
import { createToolServerFactory } from './tool-server.ts'
import { createResourceNews, type NewsDeps } from './resource-news.ts'
import { createListening } from './listening.ts'
import { demandStep } from './step-up.ts'
import { toldWhile } from './told-while.ts'

export type McpDeps = Omit<ToolServerDeps, 'exchangeOf' | 'onCall'> &
  DoorDeps &
  NewsDeps & {
    /** Whether whoever opened a subscription may be told more of it. */
    readonly staysOf: (sender: Sender) => () => Promise<boolean>
    readonly onRequest: (line: RequestLine) => void
    readonly onFault: (fault: unknown, requestId: string) => void
  }

type AuthInfo = NonNullable<Parameters<ToolServerDeps['exchangeOf']>[0]>
/** A message that may be answered; of a subscription, the tasks whose meters it follows. */
type Prepared = { readonly authInfo: AuthInfo; readonly metered: readonly string[] }

/**
 * The tool protocol over streamable HTTP in both spellings of its path, without a redirect between them (decision
 * 0063).
 */
export function addToolServer(server: FastifyInstance, deps: McpDeps): void {
  const exchanges = new WeakMap<AuthInfo, Exchange>()
  const factory = createToolServerFactory({
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
  })
  const handlers = createHandlers(factory, deps)
  const listening = createListening(deps.calls)
  const prepare = async (sender: Sender, message: Message): Promise<Prepared> => {
    let metered: readonly string[] = []
    if (message.method === '') deps.fixtures?.receive(message)
    demandStep(sender, message, deps.bearers)
    if (message.method === subscribe) {
      // Only a ban shuts out whoever came past the door.
      if (!(await deps.staysOf(sender)())) throw refusal('WALLET_BLOCKED')
      metered = await listening.begin(sender, message.params)
    }
    const authInfo: AuthInfo = { token: '', clientId: sender.principal.wallet, scopes: [] }
    exchanges.set(authInfo, { sender, message })
    return { authInfo, metered }
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const admission: Admission = { rate: null }
    reply.headers(guards).header('x-request-id', request.id)
    try {
      const raw = rawRequest(request, reply)
      const sender = await admit(deps, raw, admission)
      reply.headers(rateHeaders(admission.rate, deps.now()))
      const abort = new AbortController()
      reply.raw.once('close', () => {
        abort.abort()
      })
      const to = { request, reply, signal: abort.signal }
      if (request.method !== 'POST')
        return await passOn(await ask(handlers.plain, to, await prepare(sender, nothing)), reply)
      const batch = readMessages(raw.body)
      if (batch !== null)
        return await answerBatch(deps, batch, sender, to, async (one) =>
          ask(handlers.plain, to, await prepare(sender, one), one.value),
        )
      const message = readMessage(raw.body)
      if (message === null) return await reply.code(400).header('content-type', json).send(notJson)
      const prepared = await prepare(sender, message)
      if (message.method !== subscribe)
        return await passOn(await ask(handlers.plain, to, prepared, message.value), reply)
      const telling = handlers.telling(sender, prepared.metered, abort.signal)
      return await passOn(await ask(telling, to, prepared, message.value), reply, deps.staysOf(sender))
    } catch (thrown) {
      return refuse(deps, thrown, request, reply, admission)
    }
  }
  for (const url of mcpPaths) server.route({ method: ['GET', 'HEAD', 'POST', 'DELETE'], url, handler: answer })
  server.addHook('onClose', () => handlers.close())
}

type Handlers = {
  readonly plain: McpHttpHandler
  /** Tells one sender what it may hear of, until its connection ends. */
  telling(sender: Sender, metered: readonly string[], signal: AbortSignal): McpHttpHandler
  close(): Promise<void>
}

function createHandlers(factory: ReturnType<typeof createToolServerFactory>, news: NewsDeps): Handlers {
  const options = { maxRequestBodySize: limits.bodyBytes }
  const plain = createMcpHandler(factory, options)
  const open = new Set([plain])
  let isOver = false
  return {
    plain,
    telling({ principal }, metered, signal) {
      if (isOver) return plain
      const own = createMcpHandler(factory, { ...options, bus: createResourceNews(news, principal.wallet, metered) })
      if (!signal.aborted) open.add(own)
      signal.addEventListener('abort', () => open.delete(own), { once: true })
      return own
    },
    async close() {
      isOver = true
      await Promise.all([...open].map((one) => one.close()))
    },
  }
}

/** Both spellings of the endpoint. */
export const mcpPaths: ReadonlySet<string> = new Set(['/mcp', '/mcp/'])

const subscribe = 'subscriptions/listen'
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

const noBatch = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message: 'Batches belong to revision 2025-03-26: 1 to 20 messages of it, and no initialize among them.',
  },
})

/** What a request without a body asks. */
const nothing: Message = { value: {}, method: '', params: {}, sources: {} }

/** What the protocol reads of the headers; the rest is none of its business. */
const ownHeader = /^(?:accept|content-type|last-event-id|mcp-.*)$/

/** A request that is being answered, and what ends it. */
type Exchanged = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly signal: AbortSignal }

/** Each message of a batch counts as a request would; those that a revision without batches sends are refused. */
async function answerBatch(
  deps: McpDeps,
  batch: readonly Message[],
  { request: counted, principal }: Sender,
  { request, reply }: Exchanged,
  answerOne: (message: Message) => Promise<Response>,
): Promise<FastifyReply> {
  if (!isOfBatches(request.headers['mcp-protocol-version'], batch))
    return reply.code(400).header('content-type', json).send(noBatch)
  for (const _ of batch.slice(1)) demand(count(deps, counted, principal), deps.now())
  const answers: unknown[] = []
  for (const message of batch) answers.push(...(await answersOf(await answerOne(message))))
  return answers.length === 0
    ? reply.code(202).send()
    : reply.header('content-type', json).send(JSON.stringify(answers))
}

/** Has the protocol answer one message, for as long as the connection lasts. */
async function ask(
  handler: McpHttpHandler,
  { request, signal }: Exchanged,
  { authInfo }: Prepared,
  parsedBody?: unknown,
): Promise<Response> {
  const headers = Object.entries(request.headers).filter(
    (entry): entry is [string, string] => ownHeader.test(entry[0]) && typeof entry[1] === 'string',
  )
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return handler.fetch(new Request('http://tools.internal/mcp', { method, headers, signal }), {
    authInfo,
    ...(parsedBody === undefined ? {} : { parsedBody }),
  })
}

async function passOn(response: Response, reply: FastifyReply, stays?: () => Promise<boolean>): Promise<FastifyReply> {
  reply.code(response.status)
  const contentType = response.headers.get('content-type')
  if (contentType !== null) reply.header('content-type', contentType)
  const allow = response.headers.get('allow')
  if (allow !== null) reply.header('allow', allow)
  if (response.body === null) return reply.send()
  if (contentType?.startsWith('text/event-stream') !== true) return reply.send(await response.text())
  reply.header('x-accel-buffering', 'no')
  if (stays === undefined) return reply.send(Readable.fromWeb(response.body))
  return reply.send(Readable.from(toldWhile(stays, Readable.fromWeb(response.body)), { objectMode: false }))
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
