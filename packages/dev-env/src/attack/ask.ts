import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** An answer; `body` is an empty object where none came as JSON. */
export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export type Asked = {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The address of this machine that the connection comes from. */
  readonly from?: string
  readonly timeoutMs?: number
}

const patienceMs = 20_000

/** One request over a connection of its own. Unlike fetch it sends any Host and comes from any address of loopback. */
export function ask(
  url: string,
  { method, target, headers = {}, body, from, timeoutMs = patienceMs }: Asked,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const { hostname, port, host } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const outgoing = request(
    {
      host: hostname,
      port,
      method,
      path: target,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { host, ...length, ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
    },
    (incoming) => {
      text(incoming).then((content) => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: read(content) })
      }, reject)
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

/** Sends bytes as they are and answers all that comes back until the other side closes, in whatever way it does. */
export async function askRaw(url: string, bytes: string, from?: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) })
  socket.setTimeout(patienceMs, () => {
    socket.destroy(new Error('no answer'))
  })
  socket.write(bytes)
  let answer = ''
  try {
    for await (const chunk of socket.setEncoding('latin1')) answer += String(chunk)
  } catch {
    // Whoever refuses may cut what is still being sent.
  }
  return answer
}

function read(content: string): Reply['body'] {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

export const codeOf = ({ body }: Reply): string =>
  typeof body['code'] === 'string' ? body['code'] : typeof body['errorCode'] === 'string' ? body['errorCode'] : ''
