/** A request that can be sent again as it is. */
export type SentRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

const mostSends = 6
const firstPauseMs = 200
const mostPauseMs = 5_000

/**
 * Sends until there is an answer: again after a lost connection, and where the gateway says when to ask again. Whoever
 * pays sends the same key each time, so that it pays once.
 */
export async function sendPatiently(send: typeof fetch, request: SentRequest): Promise<Response> {
  const { url, method, headers, body } = request
  for (let left = mostSends - 1; ; left -= 1) {
    const pauseMs = Math.min(mostPauseMs, firstPauseMs * 2 ** (mostSends - left))
    try {
      // A Uint8Array of ours is never over shared memory.
      const init = {
        method,
        headers,
        redirect: 'manual' as const,
        ...(body === undefined ? {} : { body: body.slice() }),
      }
      const response = await send(url, init)
      if (left === 0 || !(await isPassing(response))) return response
      await pause(Math.min(mostPauseMs, Number(response.headers.get('retry-after')) * 1_000 || pauseMs))
    } catch (error) {
      if (left === 0 || !(error instanceof TypeError)) throw error
      await pause(pauseMs)
    }
  }
}

/** Whether it is the gateway itself that is busy; a seller's own 503 is an answer. */
async function isPassing(response: Response): Promise<boolean> {
  if (response.status !== 409 && response.status !== 503) return false
  if (response.headers.get('content-type') !== 'application/problem+json') return false
  try {
    const { error } = (await response.clone().json()) as { readonly error?: unknown } // looked at right away
    return error === 'call_under_way' || error === 'gateway_unavailable' || error === 'gateway_busy'
  } catch {
    return false
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
