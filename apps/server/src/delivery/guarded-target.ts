import { isPublicAddress } from '@ergon/process'
import { isIP } from 'node:net'
import { isLoopbackAddress, isPrivateAddress } from './near-address.ts'

export type GuardedReason = 'url' | 'unresolvable' | 'address' | 'timeout' | 'certificate' | 'connection'

const words: Readonly<Record<GuardedReason, string>> = {
  url: 'the URL must be https, on port 443 or 8443, without credentials or fragment',
  unresolvable: 'the host name does not resolve',
  // Which address it was is not said: the answer would map the network this runs in.
  address: 'the host name leads to an address that is not public',
  timeout: 'no complete answer in time',
  certificate: 'the certificate was not accepted',
  connection: 'the connection failed',
}

/** An exchange that was refused or got no complete answer. Its message may be shown to whoever named the URL. */
export class GuardedFault extends Error {
  override readonly name = 'GuardedFault'
  readonly reason: GuardedReason

  constructor(reason: GuardedReason, cause?: unknown) {
    super(words[reason], cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** Which addresses that are not public may be reached, by plain HTTP and on any port as well. */
export type NearAddresses = 'none' | 'loopback' | 'private'

export type AddressRules = {
  readonly near: NearAddresses
  readonly resolve: (hostname: string) => Promise<readonly string[]>
}

/** Where to connect: the address is fixed here, and the name is kept for the certificate and the Host header. */
export type GuardedTarget = {
  readonly isSecure: boolean
  readonly address: string
  readonly port: number
  readonly path: string
  readonly authority: string
  /** Empty for an address literal, whose certificate must name the address (RFC 6066 §3). */
  readonly serverName: string
}

/** What can be refused without asking anybody. @throws GuardedFault 'url' */
export function guardedUrl(text: string, near: NearAddresses): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '' || text.includes('#') || text.length > 2_048)
    throw new GuardedFault('url')
  const isOpen = url.protocol === 'https:' && (url.port === '' || url.port === '8443')
  // A name for what is near, or a literal of it; what it resolves to is looked at when it is used.
  const isLocal = near !== 'none' && (url.protocol === 'http:' || url.protocol === 'https:')
  if (!isOpen && !isLocal) throw new GuardedFault('url')
  const host = bareHost(url)
  if (isIP(host) !== 0) assertAllowed(url, [host], near)
  return url
}

/** Looks the name up once; one closed address among them refuses all. @throws GuardedFault */
export async function guardedTarget(text: string, { near, resolve }: AddressRules): Promise<GuardedTarget> {
  const url = guardedUrl(text, near)
  const host = bareHost(url)
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch((cause: unknown) => {
          throw new GuardedFault('unresolvable', cause)
        })
      : [host]
  assertAllowed(url, addresses, near)
  const address = addresses[0]
  if (address === undefined) throw new GuardedFault('unresolvable')
  const isSecure = url.protocol === 'https:'
  return {
    isSecure,
    address,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    authority: url.host,
    serverName: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  }
}

const isNear: Readonly<Record<NearAddresses, (address: string) => boolean>> = {
  none: () => false,
  loopback: isLoopbackAddress,
  private: isPrivateAddress,
}

function assertAllowed(url: URL, addresses: readonly string[], near: NearAddresses): void {
  if (addresses.length > 0 && addresses.every(isNear[near])) return
  if (url.protocol !== 'https:' || (url.port !== '' && url.port !== '8443')) throw new GuardedFault('url')
  if (!addresses.every(isPublicAddress)) throw new GuardedFault('address')
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}
