import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { limitIdle } from './limit-idle.ts'
import { GuardedFault, guardedTarget, type AddressRules, type GuardedTarget } from './guarded-target.ts'

export type GuardedRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** From the name's resolution to the last byte of the answer, however slowly they come. */
  readonly timeoutMs: number
  readonly maxBytes?: number
}
export type GuardedAnswer = {
  /** A redirect is an answer like any other: nothing is followed. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The answer went on after `maxBytes`, and was not read further. */
  readonly isCut: boolean
}

/** Asks addresses that strangers named. */
export type GuardedClient = Disposable & {
  /** Throws `GuardedFault`. Each call resolves the name again and connects to the very address it looked at. */
  exchange(request: GuardedRequest): Promise<GuardedAnswer>
}

export type GuardedClientOptions = {
  /** Lets plain HTTP and any port through to this machine itself, and nowhere else: for development and local networks. */
  readonly allowLoopback: boolean
  /** Every address of a name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  readonly maxSocketsPerHost?: number
}

const responseBytes = 64 * 1024
const idleMs = 30_000
/** Connections that are kept for later, to all hosts together. */
const maxIdle = 256

export function createGuardedClient({ allowLoopback, resolve = resolveAll, maxSocketsPerHost = 16 }: GuardedClientOptions): GuardedClient {
  const rules: AddressRules = { allowLoopback, resolve }
  // Kept connections are found again by address and name, so one that was made to another address is never used.
  const limits = { keepAlive: true, maxSockets: maxSocketsPerHost, maxFreeSockets: maxSocketsPerHost, timeout: idleMs }
  const agents = { http: new HttpAgent(limits), https: new HttpsAgent(limits) }
  for (const agent of Object.values(agents)) limitIdle(agent, maxIdle)
  return {
    async exchange(request) {
      const deadline = startDeadline(request.timeoutMs)
      try {
        const target = await within(deadline, guardedTarget(request.url, rules))
        return await attempt(agents, target, request, deadline).catch((error: unknown) => {
          // The other end closed a kept connection while it was idle, which says nothing of the endpoint.
          if (error instanceof StaleConnection) return attempt(agents, target, request, deadline)
          throw error
        })
      } catch (error) {
        throw toFault(error)
      } finally {
        deadline.clear()
      }
    },
    [Symbol.dispose]() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

type Agents = { readonly http: HttpAgent; readonly https: HttpsAgent }

class StaleConnection extends Error {}

function attempt(agents: Agents, target: GuardedTarget, { method, headers, body, maxBytes = responseBytes }: GuardedRequest, deadline: Deadline): Promise<GuardedAnswer> {
  return new Promise((settle, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    // A list is written as it stands; members of an object are set one by one.
    const list = Object.entries({ ...headers, ...length, host: target.authority }).flat()
    const shared = { host: target.address, port: target.port, method, path: target.path, headers: list }
    let hasAnswered = false
    const onAnswer = (response: IncomingMessage): void => {
      hasAnswered = true
      collect(response, maxBytes).then((read) => {
        if (read.isCut) request.destroy()
        settle({ status: response.statusCode ?? 0, headers: plainHeaders(response), ...read })
      }, fail)
    }
    const request: ClientRequest = target.isSecure
      ? httpsRequest({ ...shared, agent: agents.https, servername: target.serverName }, onAnswer)
      : httpRequest({ ...shared, agent: agents.http }, onAnswer)
    const fail = (cause: unknown): void => {
      reject(request.reusedSocket && !hasAnswered && isCutOff(cause) ? new StaleConnection() : toFault(cause))
      request.destroy()
    }
    request.on('error', fail)
    deadline.onOver(fail)
    if (!deadline.isOver()) request.end(body)
  })
}

function collect(response: IncomingMessage, maxBytes: number): Promise<{ readonly body: string; readonly isCut: boolean }> {
  return new Promise((settle, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const read = (isCut: boolean): void => { settle({ body: Buffer.concat(chunks).toString('utf8'), isCut }) }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, Math.max(0, maxBytes - size)))
      size += chunk.length
      if (size > maxBytes) read(true)
    })
    response.on('end', () => {
      if (response.complete) read(false)
      else reject(new GuardedFault('connection'))
    })
    response.on('error', reject)
  })
}

function plainHeaders(response: IncomingMessage): Readonly<Record<string, string>> {
  const plain: Record<string, string> = Object.create(null) as Record<string, string> // no name a stranger sends is special in it
  for (const [name, value] of Object.entries(response.headers)) plain[name] = Array.isArray(value) ? value.join(', ') : value ?? ''
  return plain
}

function isCutOff(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
}

function toFault(cause: unknown): GuardedFault {
  if (cause instanceof GuardedFault) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return new GuardedFault(/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_TO_|SELF_SIGNED|EPROTO|HOSTNAME_)/.test(code) ? 'certificate' : 'connection', cause)
}

/** One timer for an exchange: an abort signal and its listeners cost a tenth of a post. */
type Deadline = {
  isOver(): boolean
  /** Tells this one and no other from now on; at once when it is over. */
  onOver(tell: (fault: GuardedFault) => void): void
  clear(): void
}

function startDeadline(timeoutMs: number): Deadline {
  let isOver = false
  let tell: (fault: GuardedFault) => void = () => undefined
  const timer = setTimeout(() => {
    isOver = true
    tell(new GuardedFault('timeout'))
  }, timeoutMs)
  return {
    isOver: () => isOver,
    onOver(next) {
      tell = next
      if (isOver) next(new GuardedFault('timeout'))
    },
    clear() { clearTimeout(timer) },
  }
}

function within<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((settle, reject) => {
    deadline.onOver(reject)
    work.then(settle, reject)
  })
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}
