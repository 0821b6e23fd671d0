import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly id: string
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly at: number
}

/** How an endpoint answers what it gets. */
export type Manner = (received: Received, response: ServerResponse) => void

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** All it got, challenges included. */
  readonly received: readonly Received[]
  /** What it got beside challenges. */
  events(): readonly Received[]
  /** From now on. Challenges are always answered. */
  answer(manner: Manner): void
}

export const kindly: Manner = (_received, response) => {
  response.end('thanks')
}
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Manner =>
  (_received, response) => {
    response.writeHead(code, headers).end(`answered ${String(code)}`)
  }

/** An endpoint on this machine that keeps what it gets. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let manner = kindly
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      // Every body is an envelope of spec §6; a receiver reads it as JSON.
      const { id, type, data } = JSON.parse(body) as {
        readonly id: string
        readonly type: string
        readonly data: { readonly token?: string }
      }
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one = { id, type, headers, body, at: performance.now() }
      received.push(one)
      if (type === 'webhook.challenge') response.end(data.token)
      else manner(one, response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo // it listens on TCP
  return {
    port: address.port,
    url: `http://127.0.0.1:${String(address.port)}/hook`,
    received,
    events: () => received.filter(({ type }) => type !== 'webhook.challenge'),
    answer(next) {
      manner = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
