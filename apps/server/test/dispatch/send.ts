import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: ReplyBody
}
/** Enough of both envelopes to assert on. */
export type ReplyBody = Readonly<Record<string, unknown>> & {
  readonly code?: string
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly detail?: Readonly<Record<string, unknown>>
}

/** One request over a real socket; unlike fetch it sends any Host and any repeated header. */
export async function send(
  url: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string | string[]>> = {},
  body?: string | Uint8Array,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const base = new URL(url)
  const outgoing = request(
    {
      host: base.hostname,
      port: base.port,
      method,
      path: target,
      headers: body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers },
      agent: false,
    },
    (incoming) => {
      text(incoming).then((content) => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: isJson(incoming) ? read(content) : {},
        })
      }, reject)
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

/** Sends bytes as they are and answers all that comes back until the server closes. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const base = new URL(url)
  const socket = connect(Number(base.port), base.hostname)
  socket.write(bytes)
  return text(socket)
}

/** Pages and texts are read by nobody here. */
const isJson = ({ headers }: IncomingMessage): boolean =>
  /^(?:text\/(?:plain|markdown|html)|application\/yaml)/.test(headers['content-type'] ?? '') === false

function read(content: string): ReplyBody {
  // Every answer under test is a JSON object.
  return content === '' ? {} : (JSON.parse(content) as ReplyBody)
}
