import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registry, multicast, and an address a cloud serves its metadata at. */
const closedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Within what is given out of IPv6: protocol assignments, documentation, and IPv4 in disguise. */
const closedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
]

const closed = new BlockList()
for (const [network, prefix] of closedV4) closed.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of closedV6) closed.addSubnet(network, prefix, 'ipv6')
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')

/** Whether a packet to this address stays on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (family === 4) return !closed.check(address, 'ipv4')
  return given.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}
