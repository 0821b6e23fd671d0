import { isLoopback } from '@ergon/protocols'

const mostChars = 2_000
/** Schemes a browser runs or reads itself; none of them leads to a client. */
const closedSchemes: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome:',
  'content:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

/**
 * Why a code may not be sent there, or undefined: https, http to the caller's own machine, or a scheme that an app on
 * it owns (RFC 8252 §7), without fragment and userinfo.
 */
export function redirectFault(text: string): string | undefined {
  if (text.length > mostChars) return 'is longer than 2000 characters'
  // What a URL parser would repair without a word.
  if (/[^\x21-\x7e]/.test(text)) return 'holds a space, a control character or a letter that is not ASCII'
  if (text.includes('\\')) return 'holds a backslash'
  if (!URL.canParse(text)) return 'is no absolute URL'
  const url = new URL(text)
  if (text.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(text)) return 'has a user'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return isLoopback(url.hostname) ? undefined : 'is plain http to another machine than the one it runs on'
  return closedSchemes.has(url.protocol) ? 'has a scheme that leads to no client' : undefined
}

/** Whether it leads to the machine of whoever signs in, where any program may wait for it. */
export function isLoopbackRedirect(text: string): boolean {
  const url = new URL(text)
  return url.protocol === 'http:' && isLoopback(url.hostname)
}

/**
 * Whether what was asked for is one of the client's: character by character, except that a loopback redirect may name
 * any port (RFC 8252 §7.3).
 */
export function isOwnRedirect(asked: string, own: readonly string[]): boolean {
  if (own.includes(asked)) return true
  if (redirectFault(asked) !== undefined || !isLoopbackRedirect(asked)) return false
  const wanted = withoutPort(asked)
  return own.some((one) => isLoopbackRedirect(one) && withoutPort(one) === wanted)
}

/** The very text without its port, so that nothing else is repaired. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?[]*)):\d*/i, '$1')
}

/** What a person should see of it: the host, or the scheme of an app. */
export function redirectHost(text: string): string {
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol
}
