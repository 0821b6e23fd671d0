import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressKey } from '@ergon/protocols'
import proxyAddr from '@fastify/proxy-addr'

/** Whose budgets things are counted against: the address of a caller, or the IPv6 network it is in. */
export type Callers = {
  /** The caller of a request. */
  of(request: IncomingMessage): string
  /** Who holds a connection; undefined for a proxy that is trusted: it holds those of everybody. */
  at(remoteAddress: string | undefined): string | undefined
}

/**
 * Callers of a listener. `X-Forwarded-For` is believed from the proxies that are trusted, and from nobody else.
 *
 * @param trusted addresses or CIDR blocks. Throws `TypeError` for what is neither.
 */
export function createCallers(trusted: readonly string[]): Callers {
  const trusts = proxyAddr.compile([...trusted])
  return {
    of(request) {
      const told = proxyAddr(request, trusts)
      return addressKey(isIP(told) === 0 ? (request.socket.remoteAddress ?? '') : told)
    },
    at: (address = '') => (trusts(address, 0) ? undefined : addressKey(address)),
  }
}
