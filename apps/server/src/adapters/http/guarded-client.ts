import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
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

export function createGuardedClient({ allowLoopback, resolve = resolveAll, maxSocketsPerHost = 16 }: GuardedClientOptions): GuardedClient {
  const rules: AddressRules = { allowLoopback, resolve }
  // Kept connections are found again by address and name, so one that was made to another address is never used.
  const limits = { keepAlive: true, maxSockets: maxSocketsPerHost, maxFreeSockets: 4, maxTotalSockets: 512, timeout: idleMs }
  const agents = { http: new HttpAgent(limits), https: new HttpsAgent(limits) }
  return {
    async exchange(request) {
      const deadline = AbortSignal.timeout(request.timeoutMs)
      const target = await within(deadline, guardedTarget(request.url, rules))
      try {
        return await attempt(agents, target, request, deadline)
      } catch (error) {
        // The other end closed a kept connection while it was idle, which says nothing of the endpoint.
        if (error instanceof StaleConnection) return await attempt(agents, target, request, deadline).catch((again: unknown) => { throw toFault(again) })
        throw error
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

function attempt(agents: Agents, target: GuardedTarget, { method, headers, body, maxBytes = responseBytes }: GuardedRequest, deadline: AbortSignal): Promise<GuardedAnswer> {
  return new Promise((settle, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const shared = { host: target.address, port: target.port, method, path: target.path, headers: { ...headers, ...length, host: target.authority } }
    let hasAnswered = false
    const onAnswer = (response: IncomingMessage): void => {
      hasAnswered = true
      collect(response, maxBytes).then((read) => {
        finish()
        if (read.isCut) request.destroy()
        settle({ status: response.statusCode ?? 0, headers: plainHeaders(response), ...read })
      }, fail)
    }
    const request: ClientRequest = target.isSecure
      ? httpsRequest({ ...shared, agent: agents.https, servername: target.serverName }, onAnswer)
      : httpRequest({ ...shared, agent: agents.http }, onAnswer)
    const stop = (): void => { fail(new GuardedFault('timeout')) }
    const finish = (): void => { deadline.removeEventListener('abort', stop) }
    const fail = (cause: unknown): void => {
      finish()
      reject(request.reusedSocket && !hasAnswered && isCutOff(cause) ? new StaleConnection() : toFault(cause))
      request.destroy()
    }
    deadline.addEventListener('abort', stop)
    request.on('error', fail)
    if (deadline.aborted) stop()
    else request.end(body)
  })
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<{ readonly body: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) { // no encoding is set, so chunks are buffers
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size > maxBytes) return { body: Buffer.concat(chunks).toString('utf8'), isCut: true }
  }
  if (!response.complete) throw new GuardedFault('connection')
  return { body: Buffer.concat(chunks).toString('utf8'), isCut: false }
}

function plainHeaders(response: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value ?? '']))
}

function isCutOff(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
}

function toFault(cause: unknown): GuardedFault {
  if (cause instanceof GuardedFault) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return new GuardedFault(/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_TO_|SELF_SIGNED|EPROTO|HOSTNAME_)/.test(code) ? 'certificate' : 'connection', cause)
}

function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((settle, reject) => {
    const stop = (): void => { reject(new GuardedFault('timeout')) }
    deadline.addEventListener('abort', stop)
    work.then(settle, reject).finally(() => { deadline.removeEventListener('abort', stop) })
  })
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}
