/**
 * Keeps the session where the runtime keeps no cookies; in a browser it holds nothing, because pages cannot see them.
 */
export type SessionCookie = {
  /** What to add to a request. A browser sets both by itself and drops these. */
  headers(): Readonly<Record<string, string>>
  /** The same for a socket: nothing where the platform sends the cookie by itself. */
  socketHeaders(): Readonly<Record<string, string>>
  keep(answer: Headers): void
}

const sessionName = /^(?:__Host-)?svc_session=/

/** The cookie of one service, which is also the origin that its changes come from (decision 0048). */
export function createSessionCookie(origin: string): SessionCookie {
  let cookie: string | undefined
  return {
    headers: () => ({ origin, ...(cookie === undefined ? {} : { cookie }) }),
    socketHeaders: () => (cookie === undefined ? {} : { origin, cookie }),
    keep(answer) {
      const line = answer.getSetCookie().find((one) => sessionName.test(one))
      if (line === undefined) return
      const [pair = ''] = line.split(';', 1)
      cookie = pair.endsWith('=') || /;\s*max-age=0\b/i.test(line) ? undefined : pair
    },
  }
}
