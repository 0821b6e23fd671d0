import type { Server } from 'node:http'
import { lettingGo } from '@ergon/process'

/** For a request whose body is on its way. */
const halfMs = 10_000

/**
 * Closes a listener that is watched from now on: what is being answered is answered first, idle connections go at once,
 * and what brings its request slowly, or none at all, is waited for a little.
 */
export function closingOf(server: Server): () => Promise<void> {
  const letGo = lettingGo(server, halfMs)
  return async () => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
    })
    letGo()
    await closed
  }
}
