import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressKey } from '@ergon/protocols'
import proxyAddr from '@fastify/proxy-addr'

/** Whose budgets a request is counted against: the address of its caller, or of the IPv6 network behind it. */
export type CallerOf = (request: IncomingMessage) => string

/**
 * Callers of a listener. `X-Forwarded-For` is believed from the proxies that are trusted, and from nobody else.
 *
 * @param trusted addresses or CIDR blocks. Throws `TypeError` for what is neither.
 */
export function createCallerOf(trusted: readonly string[]): CallerOf {
  const trusts = proxyAddr.compile([...trusted])
  return (request) => {
    const own = request.socket.remoteAddress ?? ''
    const told = proxyAddr(request, trusts)
    return addressKey(isIP(told) === 0 ? own : told)
  }
}
