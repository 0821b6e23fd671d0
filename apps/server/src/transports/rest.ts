import { Readable } from 'node:stream'
import { disabledFeatureAt, limits, type DisabledFeature, type Operation } from '@ergon/contract'
import { answeringHalfClosed, bodiesOnDemand, lettingGo, lingering, requestFault } from '@ergon/process'
import { normalizeAuthority } from '@ergon/protocols'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Dispatch, Served } from '../dispatch/dispatch.ts'
import { errorAnswer } from '../dispatch/error-body.ts'
import { forbiddenKeyOf } from '../dispatch/forbidden-keys.ts'
import type { AnyHandler, RawBytes, RawStream } from '../dispatch/handlers.ts'
import type { Plan, Planner } from '../dispatch/plan.ts'
import { refusal, type Refusal } from '../dispatch/refusal.ts'
import { brokenRequests, hasLeft } from './broken-request.ts'
import { addCrossOrigin, answerOptions, allowOf, isForEveryOrigin, openToEvery } from './cross-origin.ts'
import { answerHeads } from './head-answers.ts'
import { watchRoutes, type KnownMethod } from './route-table.ts'
import { asksForSocket } from './websocket/gateway.ts'
import { addOpenApi } from './large-documents.ts'
import { rawRequest } from './raw-request.ts'
import { ownPath } from './request-target.ts'

/** How long a stop waits for a body that is on its way: the rest of the stop has its time then. */
const halfMs = 10_000

/** One line a request; nothing of bodies, signatures or authorizations. */
export type RequestLine = {
  readonly id: string
  readonly op: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly code?: string
  readonly wallet?: string
}

export type RestDeps = {
  readonly operations: Readonly<Record<string, Operation>>
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly dispatch: Dispatch
  readonly plan: Planner
  /** Undefined: no document is served. */
  readonly publicUrl: string | undefined
  readonly version: string
  /** Hosts that are served, as callers write them. */
  readonly authorities: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Paths that read delegated tokens; absent while there are none, and every token is refused as a key is. */
  readonly tokenPaths?: ReadonlySet<string>
  /** Features that may be off and are on here: their routes are added beside the operations. */
  readonly served?: ReadonlySet<DisabledFeature>
  readonly nextRequestId: () => string
  readonly onRequest?: (line: RequestLine) => void
  readonly onFault?: (fault: unknown, requestId: string) => void
  /** A caller that left before its body or its answer was complete. */
  readonly onLeft?: (requestId: string) => void
  /** Asked about what no route answers; true when it has answered. */
  readonly answerPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** The REST surface: every route is derived from the operations it is given. */
export function createRest(deps: RestDeps): FastifyInstance {
  const authorities = new Set(deps.authorities.map(normalizeAuthority))
  const broken = brokenRequests(deps.nextRequestId)
  const server = fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    genReqId: () => deps.nextRequestId(),
    requestIdHeader: false,
    // Five minutes carry the largest evidence over a slow line; nobody holds a connection longer with half a request.
    requestTimeout: 300_000,
    http: { maxHeaderSize: 32_768, requireHostHeader: false, shouldUpgradeCallback: asksForSocket },
    clientErrorHandler: broken.answer,
    rewriteUrl: ({ url = '', rawHeaders }) => ownPath(url, rawHeaders, authorities) ?? url,
    // The target is read raw by dispatch, so that a repeated field is seen.
    routerOptions: { querystringParser: () => ({}), ignoreTrailingSlash: false, maxParamLength: 400 },
    frameworkErrors: (_error, request, reply) => {
      openToEvery(request, reply)
      sendError(deps, refusal('NOT_FOUND'), request, reply)
    },
  })
  // A connection that cannot be accepted, for want of file handles say, is one caller's loss.
  server.server.on('error', (error) => {
    if (server.server.listening) deps.onFault?.(error, 'none')
  })
  answerHeads(server)
  const routes = watchRoutes(server)
  addCrossOrigin(server)
  keepRawBodies(server)
  broken.watch(server.server)
  const stopping = lettingGo(server.server, halfMs)
  lingering(server.server)
  answeringHalfClosed(server.server)
  const askForBody = bodiesOnDemand(server.server)
  server.addHook('preClose', (done) => {
    stopping()
    done()
  })
  server.addHook('onRequest', (request, reply, next) => {
    const fault = requestFault(request.raw)
    if (fault !== undefined) reply.header('connection', 'close')
    const refused = refusedOnSight(request, fault, deps.tokenPaths)
    if (refused === undefined) next()
    else sendError(deps, refused, request, reply)
  })
  server.addHook('preParsing', (_request, reply, payload, next) => {
    askForBody(reply.raw)
    next(null, payload)
  })
  server.setErrorHandler((error, request, reply) => {
    if (hasLeft(error) && request.raw.destroyed) letGo(deps, request, reply)
    else sendError(deps, translate(error), request, reply)
  })
  server.setNotFoundHandler((request, reply) => {
    if (deps.answerPage?.(request, reply) === true)
      deps.onRequest?.({
        id: request.id,
        op: 'page',
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: 0,
      })
    else answerUnrouted(deps, routes.at(pathOf(request)), request, reply)
  })
  addOperations(server, deps)
  const { publicUrl: serverUrl, version, served } = deps
  if (serverUrl !== undefined) addOpenApi(server, { serverUrl, version, ...(served === undefined ? {} : { served }) })
  return server
}

/** A path that is off answers every method, so that a browser may ask and learn that it is off. */
const offMethods: readonly KnownMethod[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((method) => ({
  method,
  isOpen: true,
}))

/** What is known and off says so whatever the method and whoever asks; no signature is read for it (spec §7). */
function answerUnrouted(
  deps: RestDeps,
  methods: readonly KnownMethod[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const feature = disabledFeatureAt(pathOf(request))
  const isOff = feature !== undefined && deps.served?.has(feature) !== true
  if (request.method === 'OPTIONS' && (isOff || methods.length > 0)) {
    answerOptions(request, reply, isOff ? offMethods : methods)
    deps.onRequest?.({ id: request.id, op: 'options', method: 'OPTIONS', path: pathOf(request), status: 204, ms: 0 })
    return
  }
  const path = pathOf(request).slice(0, 200).toWellFormed()
  const words = `No operation answers ${request.method} ${path}.`
  if (isOff) sendError(deps, refusal(feature.code, {}, feature.says), request, reply)
  else if (methods.length === 0) sendError(deps, refusal('NOT_FOUND', {}, words), request, reply)
  else {
    const allow = methods.map(({ method }) => method)
    reply.header('allow', allowOf(methods))
    sendError(deps, refusal('METHOD_NOT_ALLOWED', { allow }, words), request, reply)
  }
}

/** Digests are over the bytes as they came, so nothing parses them on the way in. */
function keepRawBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.bodyBytes }, (_request, body, done) => {
    done(null, body)
  })
}

/**
 * Refusals that need neither body nor route: whom it is for first, then forbidden keys, then the announced size
 * (decision 0004).
 */
function refusedOnSight(
  request: FastifyRequest,
  fault: string | undefined,
  tokenPaths: RestDeps['tokenPaths'],
): Refusal | undefined {
  if (fault !== undefined) return refusal('MALFORMED_BODY', {}, fault)
  // Of our own hosts only the path is left by now.
  if (request.raw.url?.startsWith('/') !== true)
    return refusal('MALFORMED_BODY', {}, 'The target is no path, and no URL of a host that is served here.')
  const key = refusedKey(request, tokenPaths)
  if (key !== undefined) return key
  const announced = request.headers['content-length']
  const mostBytes = request.routeOptions.bodyLimit
  if (announced !== undefined && Number(announced) > mostBytes) return tooLarge(mostBytes)
  const bodyless = request.method === 'GET' || request.method === 'DELETE' || request.method === 'HEAD'
  if (
    bodyless &&
    ((announced !== undefined && announced !== '0') || request.headers['transfer-encoding'] !== undefined)
  ) {
    return refusal('MALFORMED_BODY', {}, `A ${request.method} carries no body here.`)
  }
  return undefined
}

/** A key opens nothing; a token is read where tokens are, and is known for what it is where they are not. */
function refusedKey({ raw }: FastifyRequest, tokenPaths: RestDeps['tokenPaths']): Refusal | undefined {
  const key = forbiddenKeyOf(raw.rawHeaders)
  if (key === undefined) return undefined
  if (key === 'key' || tokenPaths === undefined) return refusal('API_KEY_REFUSED')
  return tokenPaths.has(raw.url?.split('?', 1)[0] ?? '') ? undefined : refusal('bearer_not_allowed')
}

function tooLarge(mostBytes: number): Refusal {
  return refusal('request_body_too_large', { max_bytes: mostBytes })
}

/** What Fastify refuses by itself, in words of the catalogue. */
function translate(error: unknown): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(limits.bodyBytes)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('UNSUPPORTED_MEDIA_TYPE')
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP'))
    return refusal('MALFORMED_BODY', {}, 'The body does not have the announced length.')
  return hasLeft(error) ? refusal('MALFORMED_BODY', {}, 'The body ended before its announced end.') : error
}

function addOperations(server: FastifyInstance, deps: RestDeps): void {
  for (const [name, operation] of Object.entries(deps.operations)) {
    const handler = deps.handlers[name]
    if (handler === undefined) throw new Error(`${name} has no handler`)
    for (const binding of operation.rest) {
      const planned = deps.plan(name, operation, binding)
      server.route({
        method: binding.method,
        config: isForEveryOrigin(operation) ? { origins: 'every' } : {},
        url: binding.path.replaceAll(/\{([a-z_]+)\}/g, ':$1'),
        handler: (request, reply) => answer(deps, planned, handler, request, reply),
      })
    }
  }
}

async function answer(
  deps: RestDeps,
  plan: Plan,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const startedAt = performance.now()
  const served = await deps.dispatch(plan, handler, rawRequest(request, reply), pathFieldsOf(request))
  if (served.fault !== undefined) deps.onFault?.(served.fault, request.id)
  deps.onRequest?.({
    id: request.id,
    op: plan.name,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    status: served.status,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    ...(served.code === null ? {} : { code: served.code }),
    ...(served.wallet === null ? {} : { wallet: served.wallet }),
  })
  return write(reply, served, plan.operation)
}

function pathFieldsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  // Route parameters are always text.
  return request.params as Readonly<Record<string, string>>
}

function write(reply: FastifyReply, served: Served, operation: Operation): FastifyReply {
  addCommonHeaders(
    reply,
    operation.access.by === 'anyone' && served.wallet === null && operation.rest[0]?.method === 'GET',
  )
  reply.code(served.status).headers(served.headers)
  if (operation.raw === true && served.code === null) return sendBytes(reply, served.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(served.body))
}

function sendBytes(reply: FastifyReply, body: unknown): FastifyReply {
  // Handlers of raw operations answer these; their type says so.
  const raw = body as RawBytes | RawStream
  reply.header('content-type', raw.contentType)
  if ('stream' in raw) return sendStream(reply, raw.stream)
  return reply.send(Buffer.from(raw.bytes.buffer, raw.bytes.byteOffset, raw.bytes.byteLength))
}

/** What is told to many goes out as it is, without a length before each piece: it ends with its connection. */
function sendStream(reply: FastifyReply, stream: RawStream['stream']): FastifyReply {
  reply.header('x-accel-buffering', 'no')
  if (!(stream instanceof Readable)) return reply.send(Readable.from(stream))
  reply.header('connection', 'close').raw.removeHeader('transfer-encoding')
  return reply.send(stream)
}

/** What depends on who asks is kept by nobody; the rest is revalidated and varies with the signature. */
export function addCommonHeaders(reply: FastifyReply, isPublic: boolean): void {
  reply.header('x-content-type-options', 'nosniff').header('x-request-id', reply.request.id)
  reply.header('cache-control', isPublic ? 'no-cache' : 'no-store').header('vary', 'Signature-Input, Signature, Cookie')
}

function sendError(deps: RestDeps, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = errorAnswer(thrown, request.id)
  if (error.code === 'INTERNAL') deps.onFault?.(thrown, request.id)
  deps.onRequest?.({
    id: request.id,
    op: '-',
    method: request.method,
    path: pathOf(request),
    status: error.status,
    ms: 0,
    code: error.code,
  })
  addCommonHeaders(reply, false)
  // What no route answers is told to everybody, so that a page learns why.
  if (request.is404) openToEvery(request, reply)
  // The rest of a refused upload is not read: the connection ends with the answer.
  if (error.status === 413) reply.header('connection', 'close')
  void reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(error.body))
}

/** Nobody reads an answer, and there is nothing to look into: one line for whoever looks closely. */
function letGo(deps: RestDeps, request: FastifyRequest, reply: FastifyReply): void {
  deps.onLeft?.(request.id)
  reply.hijack()
  reply.raw.destroy()
}

/** For the log: short, whatever was asked. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]?.slice(0, 200) ?? ''
}
