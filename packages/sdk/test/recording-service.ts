import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verifyRequest, type VerifyRequestResult } from '@ergon/protocols'

/** One request as it arrived, with what the verifier says about its signature. */
export type Arrival = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signature: VerifyRequestResult
}
export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly hangUp?: true
  readonly silent?: true
}
export type Answerer = (arrival: Arrival, count: number) => Reply

/** A loopback service that verifies and records what arrives, and answers as it is told. */
export async function recordingService(answer: Answerer) {
  const arrivals: Arrival[] = []
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const arrival = await read(request, Buffer.concat(chunks))
    arrivals.push(arrival)
    const { status = 200, headers = {}, body = {}, hangUp, silent } = answer(arrival, arrivals.length)
    if (hangUp) request.socket.destroy()
    else if (!silent)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  async function read(request: IncomingMessage, body: Buffer): Promise<Arrival> {
    const pairs = Array.from(
      { length: request.rawHeaders.length / 2 },
      (_, index) => [request.rawHeaders[2 * index] ?? '', request.rawHeaders[2 * index + 1] ?? ''] as const,
    )
    const { method = '', url: target = '' } = request
    const signature = await verifyRequest(
      { method, target, headers: pairs, body },
      {
        policy: { authorities: [authority], chains: [31337, 8453], maxValiditySec: 300, clockSkewSec: 30 },
        now: Date.now() / 1_000,
        nonces: {
          consume: async (key) => {
            if (seen.has(key)) return false
            seen.add(key)
            return true
          },
        },
        contracts: { isValidSignature: async () => false },
      },
    )
    return {
      method,
      target,
      headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
      body: body.toString(),
      signature,
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const authority = `127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`
  return {
    url: `http://${authority}`,
    arrivals,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      await new Promise<void>((resolve) =>
        server.close(() => {
          resolve()
        }),
      )
    },
  }
}

/** An error as the service words it (spec §7). */
export function refusal(
  status: number,
  code: string,
  retryable: boolean,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers,
    body: {
      error: 'Refused',
      code,
      message: `${code} happened`,
      request_id: 'req-1',
      details: { network: 'localnet' },
      detail: { code, retryable, message: `${code} happened`, recovery: 'Do it right.' },
    },
  }
}
