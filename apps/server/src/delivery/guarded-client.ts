import type { IncomingHttpHeaders } from 'node:http'
import { createKeptConnections, type KeptConnection, type KeptConnections } from './kept-connections.ts'
import {
  GuardedFault,
  guardedTarget,
  type AddressRules,
  type GuardedTarget,
  type NearAddresses,
} from './guarded-target.ts'
import { createStrangerNames, type StrangerNames } from './stranger-names.ts'

export type GuardedRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
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
  /** Lets plain HTTP and any port through to this machine or to a private network, and nowhere else. */
  readonly near: NearAddresses
  /** Every address of a name; asked of the system's name servers when left out. */
  readonly resolve?: StrangerNames
  readonly maxSocketsPerHost?: number
}

const responseBytes = 64 * 1024
const idleMs = 30_000
/** Connections that are kept for later, to all hosts together. */
const maxIdle = 256

export function createGuardedClient({
  near,
  resolve = createStrangerNames(),
  maxSocketsPerHost = 16,
}: GuardedClientOptions): GuardedClient {
  const rules: AddressRules = { near, resolve }
  const connections = createKeptConnections({ perHost: maxSocketsPerHost, idle: maxIdle, idleMs })
  return {
    async exchange(request) {
      const deadline = startDeadline(request.timeoutMs)
      try {
        const target = await within(deadline, guardedTarget(request.url, rules))
        return await attempt(connections, target, request, deadline).catch((error: unknown) => {
          // The other end closed a kept connection while it was idle, which says nothing of the endpoint.
          if (error instanceof StaleConnection) return attempt(connections, target, request, deadline)
          throw error
        })
      } catch (error) {
        throw toFault(error)
      } finally {
        deadline.clear()
      }
    },
    [Symbol.dispose]() {
      connections[Symbol.dispose]()
    },
  }
}

class StaleConnection extends Error {}

async function attempt(
  connections: KeptConnections,
  target: GuardedTarget,
  request: GuardedRequest,
  deadline: Deadline,
): Promise<GuardedAnswer> {
  const taken = connections.take(target)
  return exchangeOver(
    taken instanceof Promise ? await turnOf(taken, connections, deadline) : taken,
    connections,
    target,
    request,
    deadline,
  )
}

/** Who waits no longer leaves its turn to the next. */
function turnOf(
  taking: Promise<KeptConnection>,
  connections: KeptConnections,
  deadline: Deadline,
): Promise<KeptConnection> {
  return within(deadline, taking).catch((fault: unknown) => {
    void taking.then((late) => {
      connections.giveBack(late)
    })
    throw fault
  })
}

function exchangeOver(
  connection: KeptConnection,
  connections: KeptConnections,
  { path, authority }: GuardedTarget,
  { method, headers, body, maxBytes = responseBytes }: GuardedRequest,
  deadline: Deadline,
): Promise<GuardedAnswer> {
  return new Promise((settle, reject) => {
    const chunks: Buffer[] = []
    let [status, size, isOver] = [0, 0, false]
    let given: IncomingHttpHeaders = {}
    const fail = (cause: unknown): void => {
      if (isOver) return
      isOver = true
      const fault = connection.isUsed && status === 0 && isCutOff(cause) ? new StaleConnection() : toFault(cause)
      connections.drop(connection, fault)
      reject(fault)
    }
    const read = (isCut: boolean): void => {
      if (isOver) return
      isOver = true
      if (isCut) connections.drop(connection, new GuardedFault('connection'))
      else {
        connection.isUsed = true
        connections.giveBack(connection)
      }
      settle({ status, headers: plainHeaders(given), body: textOf(chunks), isCut })
    }
    deadline.onOver(fail)
    if (isOver) return
    connection.client.dispatch(
      { path, method, headers: headerList(headers, authority), body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart(_controller, code, found) {
          ;[status, given] = [code, found]
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk.subarray(0, Math.max(0, maxBytes - size)))
          size += chunk.length
          if (size > maxBytes) read(true)
        },
        onResponseEnd() {
          read(false)
        },
        onResponseError(_controller, error) {
          fail(error)
        },
      },
    )
  })
}

/** Names and values one after another, which are written as they stand. */
function headerList(headers: Readonly<Record<string, string>> | undefined, authority: string): string[] {
  const list = ['host', authority]
  for (const [name, value] of Object.entries(headers ?? {})) list.push(name, value)
  return list
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  return (chunks.length === 1 ? first : Buffer.concat(chunks)).toString('utf8')
}

function plainHeaders(given: IncomingHttpHeaders): Readonly<Record<string, string>> {
  // No name a stranger sends is special in it.
  const plain: Record<string, string> = Object.create(null) as Record<string, string>
  for (const name of Object.keys(given)) {
    const value = given[name]
    plain[name] = Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  return plain
}

function isCutOff(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    'code' in cause &&
    (cause.code === 'UND_ERR_SOCKET' || cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
  )
}

function toFault(cause: unknown): GuardedFault {
  if (cause instanceof GuardedFault) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return new GuardedFault(
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_TO_|SELF_SIGNED|EPROTO|HOSTNAME_)/.test(code) ? 'certificate' : 'connection',
    cause,
  )
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
    clear() {
      clearTimeout(timer)
    },
  }
}

function within<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((settle, reject) => {
    deadline.onOver(reject)
    work.then(settle, reject)
  })
}
