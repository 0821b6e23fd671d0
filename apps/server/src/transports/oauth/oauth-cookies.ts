import { digestOf, rememberedSec } from '@ergon/oauth'

export type OAuthCookies = {
  /** The token of the forms of one sign-in, for the browser that began it. */
  readonly csrf: (headers: CookieHeader) => string | undefined
  readonly setCsrf: (rid: string, token: string, maxAgeSec: number) => string
  /** The wallet that this browser proved for a client. */
  readonly wallet: (headers: CookieHeader, clientId: string) => string | undefined
  readonly setWallet: (clientId: string, sealed: string) => string
}
type CookieHeader = { readonly cookie?: string | undefined }

/**
 * Out of reach of scripts and of requests that other sites make. A browser takes the prefix over TLS only, so a service
 * on plain http goes without. The first lives below its own sign-in, so that two tabs do not meet.
 */
export function createOAuthCookies(isSecure: boolean): OAuthCookies {
  const [prefix, attributes] = isSecure
    ? ['__Secure-', 'HttpOnly; Secure; SameSite=Lax']
    : ['', 'HttpOnly; SameSite=Lax']
  const csrfName = `${prefix}svc_oauth_csrf`
  const walletName = (clientId: string): string => `${prefix}svc_oauth_wallet_${digestOf(clientId).slice(0, 16)}`
  return {
    csrf: ({ cookie }) => valueOf(cookie, csrfName),
    setCsrf: (rid, token, maxAgeSec) =>
      `${csrfName}=${token}; Path=/oauth/consent/${rid}; ${attributes}; Max-Age=${String(maxAgeSec)}`,
    wallet: ({ cookie }, clientId) => valueOf(cookie, walletName(clientId)),
    setWallet: (clientId, sealed) =>
      `${walletName(clientId)}=${sealed}; Path=/oauth; ${attributes}; Max-Age=${String(rememberedSec)}`,
  }
}

/** Undefined when there are several: one of them is not ours. */
function valueOf(line: string | undefined, name: string): string | undefined {
  const values = (line ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}
