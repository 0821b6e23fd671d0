import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** They belong to one connection, RFC 9110 §7.6.1. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
/** A seller's service gets neither the credential nor other origins' cookies, nor a caller's word on who asks. */
const notAsked = ['authorization', 'cookie', 'expect', 'forwarded', 'host', 'content-length', 'x-real-ip']
/** What the gateway alone may say to a buyer, and what would count for every seller behind its origin. */
const notAnswered = [
  'alt-svc',
  'cache-control',
  'clear-site-data',
  'content-length',
  'payment-receipt',
  'set-cookie',
  'strict-transport-security',
  'www-authenticate',
]

/** The headers a request goes on with. */
export function askedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return kept(headers, (name) => notAsked.includes(name) || name.startsWith('x-forwarded-'))
}

/** The headers an answer comes back with. */
export function answeredHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | readonly string[]>> {
  return kept(headers, (name) => notAnswered.includes(name) || name.startsWith('access-control-'))
}

function kept(headers: IncomingHttpHeaders, isDropped: (name: string) => boolean): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const left = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || hopByHop.includes(name) || named.includes(name) || isDropped(name) ? [] : [[name, value]],
  )
  return Object.fromEntries(left) as Record<string, string | string[]> // each entry has just been made of these
}
