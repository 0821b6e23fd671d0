import type { ServerContext } from '@modelcontextprotocol/server'

/** A call that takes longer is told of, as often as this. */
const everyMs = 2_000

/**
 * Tells a client that asked for it how long its call has been under way, until it is answered: many give up on a call
 * of which they hear nothing. What is not delivered is not missed.
 */
export async function withProgress<T>({ mcpReq }: Pick<ServerContext, 'mcpReq'>, run: () => Promise<T>): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return run()
  let progress = 0
  const timer = setInterval(() => {
    progress += everyMs / 1_000
    const message = `under way for ${String(progress)} seconds`
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined)
  }, everyMs)
  try {
    return await run()
  } finally {
    clearInterval(timer)
  }
}
