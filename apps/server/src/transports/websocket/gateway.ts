import { addressKey, normalizeAuthority } from '@ergon/protocols'
import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '../../dispatch/accounts.ts'
import { refusal } from '../../dispatch/refusal.ts'
import { headerPairs } from '../../dispatch/request.ts'
import type { Origins } from '../../sessions/origins.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { socketPath } from '../../sockets/auth-frame.ts'
import type { Person } from '../../sockets/occupants.ts'
import type { Sockets } from '../../sockets/sockets.ts'

export type GatewayDeps = {
  readonly sockets: Sockets
  /** Hosts that are served; a name that another site points here is refused. */
  readonly authorities: readonly string[]
  readonly people: { readonly sessions: Pick<Sessions, 'read'>; readonly origins: Pick<Origins, 'allows'> }
  readonly accounts: Pick<Accounts, 'check'>
  /** @throws INVALID_API_KEY, RATE_LIMITED when an address tried too many wrong keys */
  readonly demandAdmin: (given: string | undefined, ip: string) => void
}

type Waiting = { readonly socket: Duplex; readonly head: Buffer; readonly response: ServerResponse }

/** Whether a request asks for a socket; what asks for anything else is answered as if it had not asked. */
export function asksForSocket(request: IncomingMessage): boolean {
  return request.url?.split('?', 1)[0] === socketPath && request.headers.upgrade?.toLowerCase() === 'websocket'
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const protocols = new RegExp(`^${token}(?:[\\t ]*,[\\t ]*${token})*$`)

/** What of a handshake is not as RFC 6455 §4.2.1 wants it: the library would refuse it in words of its own. */
function handshakeFault({ httpVersion, headers }: IncomingMessage): Readonly<Record<string, string>> | undefined {
  if (httpVersion !== '1.1') return { field: 'upgrade', constraint: 'HTTP/1.1' }
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    return { field: 'sec-websocket-key', constraint: '16 bytes in base64' }
  if (headers['sec-websocket-version'] !== '13') return { field: 'sec-websocket-version', constraint: '13' }
  return protocols.test(headers['sec-websocket-protocol'] ?? 'none')
    ? undefined
    : { field: 'sec-websocket-protocol', constraint: 'names, separated by commas' }
}

/**
 * Sockets on the server's own port. An upgrade passes the server's router and hooks like any request, so that it is
 * refused in the same words and its address is read the same way; then it leaves HTTP.
 */
export function addSockets(server: FastifyInstance, deps: GatewayDeps): void {
  const waiting = new WeakMap<IncomingMessage, Waiting>()
  const authorities = new Set(deps.authorities.map(normalizeAuthority))
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {
      socket.destroy()
    })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    // Node hands the connection itself over with an upgrade.
    if (socket instanceof Socket) response.assignSocket(socket)
    // Nobody reads what comes after a refusal, so nobody would see the other side end either.
    response.once('finish', () => {
      if (socket instanceof Socket) socket.destroySoon()
      else socket.end()
    })
    waiting.set(request, { socket, head, response })
    server.routing(request, response)
  })
  server.get(socketPath, async (request, reply) => {
    const given = waiting.get(request.raw)
    if (given === undefined) throw refusal('VALIDATION_FAILED', { field: 'upgrade', constraint: 'websocket' })
    const fault = handshakeFault(request.raw)
    if (fault !== undefined) {
      reply.header('sec-websocket-version', '13')
      throw refusal('VALIDATION_FAILED', fault)
    }
    const host = request.headers.host ?? ''
    if (!authorities.has(normalizeAuthority(host))) throw refusal('authority_not_allowed')
    const { origin } = request.headers
    if (origin !== undefined && !deps.people.origins.allows(origin)) throw refusal('ORIGIN_NOT_ALLOWED')
    const seat = deps.sockets.seat({ host, ip: addressKey(request.ip), requestId: request.id }, given.socket)
    try {
      const accept = seat.admit(origin === undefined ? null : await personBehind(deps, request))
      reply.hijack()
      if (given.socket instanceof Socket) given.response.detachSocket(given.socket)
      accept(request.raw, given.head)
    } catch (error) {
      seat[Symbol.dispose]()
      throw error
    }
  })
  server.get(`${socketPath}/stats`, (request, reply) => {
    const key = request.headers['x-admin-key']
    deps.demandAdmin(typeof key === 'string' ? key : undefined, addressKey(request.ip))
    return reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(deps.sockets.stats())
  })
  // Sockets end before the server does: it waits for every connection it has.
  server.addHook('preClose', () => deps.sockets[Symbol.asyncDispose]())
}

/**
 * A cookie alone proves nothing: any page can open a socket with it, so the page must be one of ours (decision 0048).
 */
async function personBehind({ people, accounts }: GatewayDeps, request: FastifyRequest): Promise<Person | null> {
  const headers = headerPairs(request.raw.rawHeaders)
  const session = await people.sessions.read({ headers })
  if (session === null) return null
  await accounts.check(session)
  return { wallet: session.wallet, mayStay: async () => (await people.sessions.read({ headers })) !== null }
}
