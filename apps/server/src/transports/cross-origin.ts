import { headerNames, operations, type Operation } from '@ergon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { carriesSession } from '../sessions/session-cookie.ts'
import type { KnownMethod } from './route-table.ts'

const allowedHeaders: readonly string[] = [
  'Accept',
  'Content-Type',
  'Content-Digest',
  'Signature-Input',
  'Signature',
  headerNames.idempotencyKey,
  'If-None-Match',
  'MCP-Protocol-Version',
  'A2A-Version',
  'A2A-Extensions',
  ...Object.values<Operation>(operations).flatMap(({ rest }) =>
    rest.flatMap(({ headers = {} }) => Object.values(headers)),
  ),
]

const exposedHeaders: readonly string[] = [
  headerNames.requestId,
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  headerNames.authSchemes,
  'Idempotent-Replayed',
  'ETag',
  'Allow',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Range',
]

const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders.join(', ') }

/**
 * Pages of every origin read public answers and send signed requests, always without credentials: `*` never allows
 * them (Fetch §3.2.5). A request that came with a session is answered to our own pages alone.
 */
export function addCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.config.origins === 'every') openToEvery(request, reply)
    next()
  })
}

/** Lets pages of every origin read an answer. */
export function openToEvery(request: FastifyRequest, reply: FastifyReply): void {
  if (!carriesSession(request.headers.cookie ?? '')) reply.headers(open)
}

/** Whether an operation is for every origin: those that a browser's own cookie opens, or a key, are not. */
export function isForEveryOrigin({ access, rest }: Operation): boolean {
  if (access.by === 'session' || access.by === 'admin') return false
  return !rest.some(({ path }) => path.startsWith('/api/v1/auth/session'))
}

/**
 * Answers OPTIONS: which methods a path has, and to a browser that asks for another origin's page, whether it may send
 * its request.
 */
export function answerOptions(request: FastifyRequest, reply: FastifyReply, methods: readonly KnownMethod[]): void {
  const asked = request.headers['access-control-request-method']
  const isOpen = asked === undefined || methods.some(({ method, isOpen: may }) => may && method === asked)
  void reply
    .code(204)
    .headers({
      allow: allowOf(methods),
      'cache-control': 'no-store',
      ...(isOpen && methods.some(({ isOpen: may }) => may)
        ? {
            'access-control-allow-origin': '*',
            'access-control-allow-methods': methods
              .flatMap(({ method, isOpen: may }) => (may ? method : []))
              .join(', '),
            'access-control-allow-headers': [...new Set(allowedHeaders)].join(', '),
            'access-control-max-age': '86400',
          }
        : {}),
    })
    .send()
}

/** The Allow header of a path (RFC 9110 §10.2.1). */
export const allowOf = (methods: readonly KnownMethod[]): string =>
  [...methods.map(({ method }) => method), 'OPTIONS'].join(', ')
