import { BlockList, isIP } from 'node:net'

/**
 * Whether a packet to this address stays on the public internet. IPv6 is asked for what is given out (2000::/3) rather
 * than for what is not, so mapped, NAT64 and unique-local forms are refused without being named.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4
    ? !closedV4().check(address, 'ipv4')
    : globalV6().check(address, 'ipv6') && !closedV6().check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4 ? address.startsWith('127.') : loopbackV6().check(address, 'ipv6')
}

type Network = readonly [network: string, prefix: number]

/** IANA's special-purpose registry, multicast and the reserved top; and one address a cloud serves its metadata at. */
const closedV4Networks: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Within 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4, and what only AS112 answers. */
const closedV6Networks: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3ffe::', 16],
  ['3fff::', 20],
]

const closedV4 = once(() => listOf('ipv4', closedV4Networks))
const closedV6 = once(() => listOf('ipv6', closedV6Networks))
const globalV6 = once(() => listOf('ipv6', [['2000::', 3]]))
const loopbackV6 = once(() => listOf('ipv6', [['::1', 128]]))

function listOf(family: 'ipv4' | 'ipv6', networks: readonly Network[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
