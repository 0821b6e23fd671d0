import { isLoopback } from '@ergon/protocols'

export type SessionCookie = {
  /** The value a request carries, or undefined; undefined also when it carries several. */
  read(headers: readonly (readonly [string, string])[]): string | undefined
  set(value: string, maxAgeSec: number): string
  readonly forget: string
}

/**
 * The cookie of a session: out of reach of scripts, of other hosts and of requests that other sites make (decision
 * 0048). A browser takes the `__Host-` prefix over TLS only, so a service on loopback goes without.
 */
export function createSessionCookie(baseUrl: string): SessionCookie {
  const url = new URL(baseUrl)
  const isPlain = url.protocol === 'http:' && isLoopback(url.hostname)
  const name = isPlain ? 'svc_session' : '__Host-svc_session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`
  return {
    read: (headers) => {
      const values = headers
        .filter(([header]) => header.toLowerCase() === 'cookie')
        .flatMap(([, line]) => valuesOf(line, name))
      return values.length === 1 ? values[0] : undefined
    },
    set: (value, maxAgeSec) => `${name}=${value}; ${attributes}; Max-Age=${String(maxAgeSec)}`,
    forget: `${name}=; ${attributes}; Max-Age=0`,
  }
}

/** Whether a Cookie header names a session, of this service or of one on loopback. */
export const carriesSession = (line: string): boolean => /(?:^|[;\s])(?:__Host-)?svc_session=/.test(line)

function valuesOf(line: string, name: string): readonly string[] {
  return line
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
