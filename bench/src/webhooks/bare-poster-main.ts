import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import { Pool } from 'undici'

/**
 * Preloaded into the service, so that bare posts are made by the very process that delivers: the same heap, the same
 * compiler and collector threads and the same duties in the background count on both sides.
 */

const port = Number(process.env['BARE_PORT'])
if (!(port > 0)) throw new Error('set BARE_PORT')

/**
 * `node` is a post as anybody writes it; `signed` adds the HMAC; `client` goes through the HTTP client that deliveries
 * use.
 */
export type Kind = 'node' | 'signed' | 'client'
type Order = {
  readonly url: string
  readonly count: number
  readonly concurrency: number
  readonly body: string
  readonly kind: Kind
}

/**
 * The least a post can cost Node's own client: the same body over kept connections, as many as are in flight, and the
 * answer read to its end.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
const secret = createSecretKey(randomBytes(32))

/** What Standard Webhooks asks for, and nothing else that a delivery needs. */
function signature(body: string): Readonly<Record<string, string>> {
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  }
}

function postByNode(url: string, body: string, isSigned: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(isSigned ? signature(body) : {}),
    }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      response.on('end', resolve).on('error', reject).resume()
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function postByClient(pool: Pool, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path: '/', method: 'POST', headers: ['content-type', 'application/json'], body },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: () => undefined,
        onResponseEnd() {
          resolve()
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}

async function send({ url, count, concurrency, body, kind }: Order): Promise<void> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 })
  let left = count
  const line = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await (kind === 'client' ? postByClient(pool, body) : postByNode(url, body, kind === 'signed'))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, line))
  await pool.close()
}

createServer((incoming, response) => {
  let text = ''
  incoming
    .setEncoding('utf8')
    .on('data', (part: string) => {
      text += part
    })
    .on('end', () => {
      send(JSON.parse(text) as Order).then(
        () => {
          response.end('sent')
        },
        () => {
          response.writeHead(500).end()
        },
      )
    })
})
  .listen(port, '127.0.0.1')
  .unref()
