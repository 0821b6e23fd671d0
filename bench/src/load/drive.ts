import { Pool, type Dispatcher } from 'undici'

export type PreparedRequest = { readonly method: 'GET' | 'POST'; readonly path: string; readonly headers: Record<string, string>; readonly body?: Buffer }
export type Driven = { readonly seconds: number; readonly requests: number; readonly p50Ms: number; readonly p99Ms: number }

/** Sends every request once over so many kept-alive connections. Throws when an answer has another status: a figure of refusals is none. */
export async function drive(origin: string, requests: readonly PreparedRequest[], expected: { readonly connections: number; readonly status: number }): Promise<Driven> {
  const pool = new Pool(origin, { connections: expected.connections, pipelining: 1 })
  const times: number[] = []
  let next = 0
  const hand = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const from = performance.now()
      await send(pool, request, expected.status)
      times.push(performance.now() - from)
    }
  }
  try {
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: expected.connections }, hand))
    const seconds = (performance.now() - startedAt) / 1_000
    times.sort((a, b) => a - b)
    const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0
    return { seconds, requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99) }
  } finally {
    await pool.destroy()
  }
}

/** Through the dispatcher itself: the comfortable ways cost the core that the database needs. */
function send(pool: Pool, request: PreparedRequest, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0
    const text: Buffer[] = []
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined, // its presence tells the dispatcher which kind of handler this is
      onResponseStart: (_controller, statusCode) => { status = statusCode },
      onResponseData: (_controller, chunk) => { if (status !== expected) text.push(chunk) },
      onResponseEnd: () => {
        if (status === expected) resolve()
        else reject(new Error(`${request.method} ${request.path} answered ${status}: ${Buffer.concat(text).toString().slice(0, 500)}`))
      },
      onResponseError: (_controller, error) => { reject(error) },
    }
    pool.dispatch({ method: request.method, path: request.path, headers: request.headers, body: request.body ?? null }, handler)
  })
}
