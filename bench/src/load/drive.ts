import { setTimeout as pause } from 'node:timers/promises'
import { Pool, type Dispatcher } from 'undici'

export type PreparedRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: Buffer
  /** Where it is not the one of the whole load. */
  readonly status?: number
}
export type Driven = {
  readonly seconds: number
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Sends every request once over so many kept-alive connections. Throws when an answer has another status: a figure of
 * refusals is none.
 */
export async function drive(
  origin: string,
  requests: readonly PreparedRequest[],
  expected: { readonly connections: number; readonly status: number },
): Promise<Driven> {
  const pool = new Pool(origin, { connections: expected.connections, pipelining: 1 })
  const times: number[] = []
  let next = 0
  const hand = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const from = performance.now()
      await send(pool, request, request.status ?? expected.status)
      times.push(performance.now() - from)
    }
  }
  try {
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: expected.connections }, hand))
    const seconds = (performance.now() - startedAt) / 1_000
    return { seconds, ...spread(times) }
  } finally {
    await pool.destroy()
  }
}

/**
 * Sends the requests at a steady pace, whether earlier ones are answered or not, and times each from the moment it was
 * due: a server that falls behind shows it. Throws when an answer has another status.
 */
export async function driveAt(
  origin: string,
  requests: readonly PreparedRequest[],
  expected: { readonly perSecond: number; readonly connections: number; readonly status: number },
): Promise<Driven> {
  const pool = new Pool(origin, { connections: expected.connections, pipelining: 1 })
  try {
    const times: number[] = []
    const startedAt = performance.now()
    const sent: Promise<void>[] = []
    for (const [index, request] of requests.entries()) {
      const due = startedAt + (index * 1_000) / expected.perSecond
      while (performance.now() < due) await pause(Math.max(0, due - performance.now()))
      sent.push(
        send(pool, request, request.status ?? expected.status).then(() => {
          times.push(performance.now() - due)
        }),
      )
    }
    await Promise.all(sent)
    return { seconds: (performance.now() - startedAt) / 1_000, ...spread(times) }
  } finally {
    await pool.destroy()
  }
}

function spread(times: number[]): Pick<Driven, 'requests' | 'p50Ms' | 'p99Ms'> {
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0
  return { requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Through the dispatcher itself: the comfortable ways cost the core that the database needs. */
function send(pool: Pool, request: PreparedRequest, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0
    const text: Buffer[] = []
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined, // its presence tells the dispatcher which kind of handler this is
      onResponseStart: (_controller, statusCode) => {
        status = statusCode
      },
      onResponseData: (_controller, chunk) => {
        if (status !== expected) text.push(chunk)
      },
      onResponseEnd: () => {
        if (status === expected) resolve()
        else
          reject(
            new Error(
              `${request.method} ${request.path} answered ${status}: ${Buffer.concat(text).toString().slice(0, 500)}`,
            ),
          )
      },
      onResponseError: (_controller, error) => {
        reject(error)
      },
    }
    pool.dispatch(
      { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
      handler,
    )
  })
}
