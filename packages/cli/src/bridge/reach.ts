import { setTimeout as pause } from 'node:timers/promises'

/** A service that is started again is there within these. */
const pausesMs = [250, 500, 1_000, 2_000, 4_000, 8_000] as const

/**
 * Sends a request; again, where nobody took the connection: nothing of it was sent then. The words of a failure are for
 * a model, which has to know whether its call was made.
 */
export async function reach(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  for (const pauseMs of [...pausesMs, null]) {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (init.signal.aborted) throw error
      if (!wasRefused(error)) throw new Error(brokenOff, { cause: error })
      if (pauseMs === null) throw new Error(notThere, { cause: error })
      await pause(pauseMs, undefined, { signal: init.signal })
    }
  }
  throw new Error(notThere)
}

const notThere = 'the service cannot be reached, and nothing was sent: call again in a minute'
const brokenOff =
  'the connection broke before an answer came, so it may be done or not: read first, or make the same call with the ' +
  'same idempotency_key'

/** What an answer that is no message says to a model. */
export const answered = (status: number): string =>
  `the tool server answered ${String(status)}${status >= 502 && status <= 504 ? ': call again in a few seconds, with the same idempotency_key' : ''}`

function wasRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause && refusals.has(cause.code)
}
const refusals: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
